package io.peeklock.kernel.deliver;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.columns.Chunk;
import io.peeklock.kernel.columns.Place;
import io.peeklock.kernel.columns.SortedLongs;
import io.peeklock.kernel.decide.Refusals;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.MessageIndex;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.ScheduledMessages;
import io.peeklock.kernel.state.Session;
import io.peeklock.kernel.state.SessionTable;

/**
 * Reads messages in order of their numbers without touching them (S-218, S-221): active, locked,
 * deferred and scheduled ones, and expired ones until they are removed (S-219, S-173). Messages of
 * one session (S-227) are found by its own numbers, however many others lie between them.
 */
public final class PeekHandler {

  /** The most messages of one answer, whatever was asked for. */
  static final int MAX_MESSAGES = 512;

  private final QueueState queue;
  private final Request.Peek peek;
  private final BurstBuilder burst;
  private final int most;

  private PeekHandler(MachineState state, QueueState queue, Request.Peek peek) {
    this.queue = queue;
    this.peek = peek;
    this.burst = new BurstBuilder(state, 0);
    this.most = Math.min(MAX_MESSAGES, peek.maxMessages());
  }

  /** Answers with {@link Effect.Peeked}, perhaps empty; refused when the queue does not exist. */
  public static Decision decide(MachineState state, Stamp stamp, Request.Peek peek) {
    QueueState queue = state.queue(peek.queue());
    if (queue == null) {
      return Refusals.whole(peek.origin(), stamp, peek.ticket(), 0, new Refusal.EntityNotFound());
    }
    PeekHandler handler = new PeekHandler(state, queue, peek);
    SessionTable sessions = queue.sessions();
    if (peek.sessionId() == null || sessions == null) {
      handler.collect();
    } else {
      Session session = sessions.byId(peek.sessionId());
      if (session != null) {
        handler.collect(session);
      }
    }
    return Decision.telling(
        new Effect.Peeked(
            peek.origin(), stamp.index(), peek.ticket(), handler.burst.build(null, 0)));
  }

  /** Collects the messages of a session. */
  private void collect(Session session) {
    long number = session.from(peek.fromSequenceNumber());
    boolean fits = true;
    while (number != SortedLongs.NONE && fits && burst.count() < most) {
      long place = queue.messages().find(number);
      fits = place == Place.NONE ? addScheduled(queue.scheduled().find(number)) : addPresent(place);
      number = session.from(number + 1);
    }
  }

  /** Collects all messages, merging scheduled ones by number. */
  private void collect() {
    MessageIndex messages = queue.messages();
    ScheduledMessages scheduled = queue.scheduled();
    long place = messages.firstFrom(peek.fromSequenceNumber());
    long later = scheduled.firstFrom(peek.fromSequenceNumber());
    boolean fits = true;
    while ((place != Place.NONE || later != Place.NONE) && fits && burst.count() < most) {
      if (number(scheduled, later) < number(messages, place)) {
        fits = addScheduled(later);
        later = scheduled.next(later);
      } else {
        fits = addPresent(place);
        place = messages.next(place);
      }
    }
  }

  private boolean addPresent(long place) {
    Chunk chunk = queue.messages().chunk(place);
    int row = Place.row(place);
    boolean fits = fits(chunk, row);
    if (fits) {
      burst.add(chunk, row);
    }
    return fits;
  }

  private boolean addScheduled(long place) {
    Chunk chunk = queue.scheduled().chunk(place);
    int row = Place.row(place);
    boolean fits = fits(chunk, row);
    if (fits) {
      burst.addScheduled(chunk, row);
    }
    return fits;
  }

  /** Whether the answer has room for another message; for the first it always has. */
  private boolean fits(Chunk chunk, int row) {
    return burst.count() == 0 || burst.bytes() + chunk.size(row) <= peek.maxBytes();
  }

  private static long number(MessageIndex messages, long place) {
    return place == Place.NONE ? Long.MAX_VALUE : messages.number(place);
  }

  private static long number(ScheduledMessages scheduled, long place) {
    return place == Place.NONE ? Long.MAX_VALUE : scheduled.chunk(place).number(Place.row(place));
  }
}
