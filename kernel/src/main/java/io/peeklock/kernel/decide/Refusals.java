package io.peeklock.kernel.decide;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.request.Ticket;
import org.jspecify.annotations.Nullable;

/** Refuses requests as a whole: nothing of the request happens, and none of its bodies is kept. */
public final class Refusals {

  private Refusals() {}

  /**
   * Refuses.
   *
   * @param ticket null when nobody waits for an answer (S-019)
   * @param bodies how many staged bodies came with the request
   */
  public static Decision whole(
      Origin to, Stamp stamp, @Nullable Ticket ticket, int bodies, Refusal refusal) {
    DecisionBuilder draft = new DecisionBuilder();
    if (bodies > 0) {
      draft.keepBodies(new boolean[bodies]);
    }
    if (ticket != null) {
      draft.add(new Effect.Refused(to, stamp.index(), ticket, refusal));
    }
    return draft.build();
  }

  /** The first refusal of a list, null when there is none. */
  public static @Nullable Refusal first(@Nullable Refusal @Nullable [] refusals) {
    if (refusals != null) {
      for (Refusal refusal : refusals) {
        if (refusal != null) {
          return refusal;
        }
      }
    }
    return null;
  }
}
