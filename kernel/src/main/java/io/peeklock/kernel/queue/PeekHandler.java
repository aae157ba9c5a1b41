package io.peeklock.kernel.queue;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.Effect;
import io.peeklock.kernel.Refusal;
import io.peeklock.kernel.Request;
import io.peeklock.kernel.Stamp;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages in order of their numbers without touching them (S-218, S-221): active, locked,
 * deferred and scheduled ones, expired ones too while they are there (S-219, S-173).
 */
final class PeekHandler {

  /** The most messages of one answer, whatever was asked for. */
  static final int MAX_MESSAGES = 512;

  private PeekHandler() {}

  static Decision decide(MachineState state, Stamp stamp, Request.Peek peek) {
    QueueState queue = state.queue(peek.queue());
    if (queue == null) {
      return Refusals.whole(peek.origin(), stamp, peek.ticket(), 0, new Refusal.EntityNotFound());
    }
    MessageIndex messages = queue.messages();
    int most = Math.min(MAX_MESSAGES, peek.maxMessages());
    BurstBuilder burst = new BurstBuilder(state, 0);
    ScheduledMessages scheduled = queue.scheduled();
    long place = messages.firstFrom(peek.fromSequenceNumber());
    long later = scheduled.firstFrom(peek.fromSequenceNumber());
    while ((place != MessageIndex.NONE || later != MessageIndex.NONE) && burst.count() < most) {
      boolean isScheduled = number(scheduled, later) < number(messages, place);
      Chunk chunk = isScheduled ? scheduled.chunk(later) : messages.chunk(place);
      int row = MessageIndex.row(isScheduled ? later : place);
      boolean shown = isOf(queue.sessions(), peek.sessionId(), chunk, row);
      if (shown && burst.count() > 0 && burst.bytes() + chunk.size(row) > peek.maxBytes()) {
        break;
      }
      if (isScheduled) {
        if (shown) {
          burst.addScheduled(chunk, row);
        }
        later = scheduled.next(later);
      } else {
        if (shown) {
          burst.add(chunk, row);
        }
        place = messages.next(place);
      }
    }
    return Decision.telling(
        new Effect.Peeked(peek.origin(), stamp.index(), peek.ticket(), burst.build(null, 0)));
  }

  private static boolean isOf(
      @Nullable SessionTable sessions, @Nullable String sessionId, Chunk chunk, int row) {
    return sessionId == null
        || sessions == null
        || sessions.bySlot(chunk.sessionSlot(row)).id.equals(sessionId);
  }

  private static long number(MessageIndex messages, long place) {
    return place == MessageIndex.NONE ? Long.MAX_VALUE : messages.number(place);
  }

  private static long number(ScheduledMessages scheduled, long place) {
    return place == MessageIndex.NONE
        ? Long.MAX_VALUE
        : scheduled.chunk(place).number(MessageIndex.row(place));
  }
}
