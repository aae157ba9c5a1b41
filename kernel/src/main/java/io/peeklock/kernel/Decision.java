package io.peeklock.kernel;

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
 * @param needs body id that must be read before this can be decided, with the request asked again
 *     then; 0 for none. A decision with needs has nothing else.
 */
public record Decision(
    List<Fact> facts,
    List<Grant> grants,
    List<Effect> effects,
    boolean @Nullable [] keptBodies,
    long needs) {

  /** Nothing to do. */
  public static final Decision NOTHING = new Decision(List.of(), List.of(), List.of(), null, 0);

  /** Ask again once this body was read. */
  public static Decision needing(long bodyId) {
    return new Decision(List.of(), List.of(), List.of(), null, bodyId);
  }

  /** Only tells somebody. */
  public static Decision telling(Effect effect) {
    return new Decision(List.of(), List.of(), List.of(effect), null, 0);
  }

  /** Only changes volatile state. */
  public static Decision granting(Grant grant) {
    return new Decision(List.of(), List.of(grant), List.of(), null, 0);
  }
}
