package io.peeklock.kernel.decide;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.grant.Grant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A decision while it is being made. */
public final class DecisionBuilder {

  private static final long[] NO_NEEDS = {};

  private List<Fact> facts = List.of();
  private List<Grant> grants = List.of();
  private List<Effect> effects = List.of();
  private List<byte[]> made = List.of();
  private boolean @Nullable [] keptBodies;

  public DecisionBuilder add(Fact fact) {
    facts = added(facts, fact);
    return this;
  }

  public DecisionBuilder add(Grant grant) {
    grants = added(grants, grant);
    return this;
  }

  public DecisionBuilder add(Effect effect) {
    effects = added(effects, effect);
    return this;
  }

  private static <T> List<T> added(List<T> list, T one) {
    List<T> longer = list.isEmpty() ? new ArrayList<>(4) : list;
    longer.add(one);
    return longer;
  }

  /** Says which staged bodies of the request the facts refer to. */
  public DecisionBuilder keepBodies(boolean[] kept) {
    keptBodies = kept;
    return this;
  }

  /** Adds a body of the decision's own, whose id follows those of all before. */
  public DecisionBuilder make(byte[] body) {
    made = added(made, body);
    return this;
  }

  /** How many bodies the decision makes. */
  int made() {
    return made.size();
  }

  /** Whether nothing is decided so far. */
  boolean isEmpty() {
    return facts.isEmpty() && grants.isEmpty() && effects.isEmpty();
  }

  public Decision build() {
    return new Decision(facts, grants, effects, keptBodies, made, NO_NEEDS);
  }
}
