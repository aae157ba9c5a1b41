package io.peeklock.kernel;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.grant.Grant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer of {@code decide}: facts that become true, changes of volatile state, effects. Nothing
 * of it has happened yet.
 *
 * @param facts to be logged and applied, in order
 * @param grants to be applied to volatile state after the facts
 * @param effects to be handed out, in order, once the facts are durable
 * @param keptBodies which staged bodies of the request the facts refer to, in order: null for all
 *     (or none staged), else true where kept
 * @param made bodies that the decision itself makes, whose ids follow those of the kept ones
 * @param needs ids of bodies that must be read before this can be decided; then the caller asks
 *     again. Mostly empty. A tick or a forward names two ids for each message, its body and its
 *     changed properties, 0 for none. A decision with needs has nothing else.
 */
public record Decision(
    List<Fact> facts,
    List<Grant> grants,
    List<Effect> effects,
    boolean @Nullable [] keptBodies,
    List<byte[]> made,
    long[] needs) {

  private static final long[] NONE = {};

  /** Nothing to do. */
  public static final Decision NOTHING =
      new Decision(List.of(), List.of(), List.of(), null, List.of(), NONE);

  /** A decision that needs these bodies first: the caller reads them and asks again. */
  public static Decision needing(long... bodyIds) {
    return new Decision(List.of(), List.of(), List.of(), null, List.of(), bodyIds);
  }

  /** This decision with one more grant, after the others. */
  public Decision and(Grant grant) {
    List<Grant> more = new ArrayList<>(grants.size() + 1);
    more.addAll(grants);
    more.add(grant);
    return new Decision(facts, more, effects, keptBodies, made, needs);
  }

  /** A decision that makes no bodies. */
  public static Decision of(
      List<Fact> facts, List<Grant> grants, List<Effect> effects, boolean @Nullable [] keptBodies) {
    return new Decision(facts, grants, effects, keptBodies, List.of(), NONE);
  }

  /** A decision with one effect and nothing else. */
  public static Decision telling(Effect effect) {
    return new Decision(List.of(), List.of(), List.of(effect), null, List.of(), NONE);
  }

  /** A decision with one grant and nothing else. */
  public static Decision granting(Grant grant) {
    return new Decision(List.of(), List.of(grant), List.of(), null, List.of(), NONE);
  }
}
