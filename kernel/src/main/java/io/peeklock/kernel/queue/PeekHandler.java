package io.peeklock.kernel.queue;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.Effect;
import io.peeklock.kernel.Refusal;
import io.peeklock.kernel.Request;
import io.peeklock.kernel.Stamp;

/**
 * Reads messages in order of their numbers without touching them (S-218, S-221): active, locked and
 * deferred ones, expired ones too while they are there (S-219, S-173).
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
    BurstBuilder burst = new BurstBuilder(state.overlays, 0);
    long place = messages.firstFrom(peek.fromSequenceNumber());
    while (place != MessageIndex.NONE && burst.count() < most) {
      int size = messages.chunk(place).size(MessageIndex.row(place));
      if (burst.count() > 0 && burst.bytes() + size > peek.maxBytes()) {
        break;
      }
      burst.add(messages, place);
      place = messages.next(place);
    }
    return Decision.telling(
        new Effect.Peeked(peek.origin(), stamp.index(), peek.ticket(), burst.build(null, 0)));
  }
}
