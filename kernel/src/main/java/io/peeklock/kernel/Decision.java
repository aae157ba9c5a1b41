package io.peeklock.kernel;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.grant.Grant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer of {@code decide}: what becomes true, what changes in volatile state, whom to tell.
 * Nothing of it has happened yet.
 *
 * @param facts to be logged and applied, in order
 * @param grants to be applied to volatile state after the facts
 * @param effects to be told, in order, once durable
 * @param keptBodies which staged bodies of the request the facts refer to, in order: null for all
 *     (or none staged), else true where kept
 * @param made bodies that the decision itself makes, whose ids follow those of the kept ones
 * @param needs ids of bodies that must be read before this can be decided, to be asked again then;
 *     mostly none. What time or forwarding decides names two for each message, its body and its
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

  /** Ask again once these bodies were read. */
  public static Decision needing(long... bodyIds) {
    return new Decision(List.of(), List.of(), List.of(), null, List.of(), bodyIds);
  }

  /** The same with one grant more, behind the others. */
  public Decision and(Grant grant) {
    List<Grant> more = new ArrayList<>(grants.size() + 1);
    more.addAll(grants);
    more.add(grant);
    return new Decision(facts, more, effects, keptBodies, made, needs);
  }

  /** One that makes no bodies. */
  public static Decision of(
      List<Fact> facts, List<Grant> grants, List<Effect> effects, boolean @Nullable [] keptBodies) {
    return new Decision(facts, grants, effects, keptBodies, List.of(), NONE);
  }

  /** Only tells somebody. */
  public static Decision telling(Effect effect) {
    return new Decision(List.of(), List.of(), List.of(effect), null, List.of(), NONE);
  }

  /** Only changes volatile state. */
  public static Decision granting(Grant grant) {
    return new Decision(List.of(), List.of(grant), List.of(), null, List.of(), NONE);
  }
}
