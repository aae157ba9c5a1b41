package io.peeklock.kernel.decide;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.grant.Grant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the parts of a {@link Decision}, each kind in the order in which it is added. */
public final class DecisionBuilder {

  private static final long[] NO_NEEDS = {};

  private List<Fact> facts = List.of();
  private List<Grant> grants = List.of();
  private List<Effect> effects = List.of();
  private List<byte[]> made = List.of();
  private boolean @Nullable [] keptBodies;

  /** Adds a fact, behind those added before. */
  public DecisionBuilder add(Fact fact) {
    facts = added(facts, fact);
    return this;
  }

  /** Adds a grant, to be applied after all facts. */
  public DecisionBuilder add(Grant grant) {
    grants = added(grants, grant);
    return this;
  }

  /** Adds an effect, to be handed out once the facts are durable. */
  public DecisionBuilder add(Effect effect) {
    effects = added(effects, effect);
    return this;
  }

  private static <T> List<T> added(List<T> list, T one) {
    List<T> longer = list.isEmpty() ? new ArrayList<>(4) : list;
    longer.add(one);
    return longer;
  }

  /**
   * Sets which staged bodies of the request the facts refer to, as in {@link Decision#keptBodies}.
   */
  public DecisionBuilder keepBodies(boolean[] kept) {
    keptBodies = kept;
    return this;
  }

  /** Adds a body that the decision makes itself; its id follows those of all earlier ones. */
  public DecisionBuilder make(byte[] body) {
    made = added(made, body);
    return this;
  }

  /** How many bodies the decision makes. */
  int made() {
    return made.size();
  }

  /** Whether any fact is decided so far. */
  public boolean hasFacts() {
    return !facts.isEmpty();
  }

  /** Whether nothing is decided so far. */
  boolean isEmpty() {
    return facts.isEmpty() && grants.isEmpty() && effects.isEmpty();
  }

  /** The decision, without needs. */
  public Decision build() {
    return new Decision(facts, grants, effects, keptBodies, made, NO_NEEDS);
  }
}
