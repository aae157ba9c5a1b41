package io.peeklock.runtime.meter;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts refusals for the entity that a request names. */
final class RefusalMeter {
  private RefusalMeter() {}

  /** Counts the refusals among effects, and returns whether an entity was refused more heap. */
  static boolean note(EntityCounter meters, Request request, List<Effect> effects) {
    var forShare = false;
    for (var effect : effects) {
      forShare |=
          switch (effect) {
            case Effect.SendAnswered it -> note(meters, request, it.refusals());
            case Effect.SettleAnswered it -> note(meters, request, it.refusals());
            case Effect.Enlisted it -> note(meters, request, it.refusals());
            case Effect.Refused it -> note(meters, request, it.refusal());
            default -> false; // done
          };
    }
    return forShare;
  }

  private static boolean note(
      EntityCounter meters, Request request, @Nullable Refusal @Nullable [] refusals) {
    if (refusals == null) {
      return false;
    }
    var forShare = false;
    for (var refusal : refusals) {
      forShare |= refusal != null && note(meters, request, refusal);
    }
    return forShare;
  }

  /**
   * Counts for the entity that a request names; a request that names none or several counts for
   * none.
   */
  private static boolean note(EntityCounter meters, Request request, Refusal refusal) {
    if (request instanceof Request.OnQueue asked) {
      count(meters, asked.queue(), refusal);
    }
    return refusal instanceof Refusal.MemoryShareExceeded share && !share.ofBodies();
  }

  private static void count(EntityCounter meters, QueueId queue, Refusal refusal) {
    switch (refusal) {
      case Refusal.QuotaExceeded full -> meters.add(queue, Count.NO_ROOM, 1);
      case Refusal.MemoryShareExceeded share -> meters.add(queue, Count.NO_ROOM, 1);
      case Refusal.StoreFull full -> meters.add(queue, Count.NO_ROOM, 1);
      case Refusal.Timeout nothingCame -> {} // a normal answer: no error
      case Refusal.MessageLockLost lost -> {
        meters.add(queue, Count.USER_ERRORS, 1);
        meters.add(queue, Count.LOCKS_LOST, 1);
      }
      default -> meters.add(queue, Count.USER_ERRORS, 1);
    }
  }
}
