package io.peeklock.kernel.apply;

import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.columns.Chunk;
import io.peeklock.kernel.columns.Place;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.ForwardFact;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.MessageIndex;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.ScheduledMessages;

/** Applies facts about scheduled messages. */
final class ScheduleApplier {

  private ScheduleApplier() {}

  static void schedule(MachineState state, long index, Fact.Scheduled fact) {
    QueueState queue = state.known(fact.queue());
    boolean isGiven = fact.firstSequenceNumber() < queue.nextSequenceNumber();
    if (isGiven) {
      Invariant.check(
          queue.scheduled().find(fact.firstSequenceNumber()) == Place.NONE
              && queue.messages().find(fact.firstSequenceNumber()) == Place.NONE,
          "a number is used once");
    } else {
      state.checkNumbersConsecutive(queue, fact.firstSequenceNumber());
    }
    state.checkConsecutive(fact.firstBodyId() == state.nextBodyId, "body ids go up without a gap");
    state.beforeInsert(queue.scheduled().chunks(), fact.firstSequenceNumber());
    queue.scheduled().add(fact, isGiven, index);
    queue.remember(fact.messageIdHashes(), fact.arrivedAtMillis());
    if (!isGiven) {
      queue.numbersUsedUpTo(fact.firstSequenceNumber() + fact.sizes().length);
    }
    state.nextBodyId = fact.firstBodyId() + fact.sizes().length;
    state.refresh(queue);
  }

  static void give(MachineState state, Fact.NumbersGiven fact) {
    QueueState queue = state.known(fact.queue());
    state.checkNumbersConsecutive(queue, fact.firstSequenceNumber());
    queue.numbersUsedUpTo(fact.firstSequenceNumber() + fact.count());
  }

  static void cancel(MachineState state, Fact.Cancelled fact) {
    QueueState queue = state.known(fact.queue());
    for (long number : fact.sequenceNumbers()) {
      long place = find(state, queue, number);
      if (place != Place.NONE) {
        state.deadBodies.add(queue.scheduled().chunk(place).bodyId(Place.row(place)));
        queue.scheduled().remove(place);
      }
    }
    state.entities.dropIfEmptied(queue);
  }

  static void activate(MachineState state, long index, Fact.Activated fact) {
    activate(state, index, state.known(fact.queue()), fact);
  }

  static void activate(MachineState state, long index, ForwardFact.ActivatedInBacklog fact) {
    QueueState topic = state.known(fact.source());
    state.checkNumbersConsecutive(topic, fact.topicNumber());
    Fact.Activated there =
        new Fact.Activated(
            fact.backlog(),
            fact.sequenceNumbers(),
            fact.firstSequenceNumber(),
            fact.enqueuedAtMillis());
    activate(state, index, topic, there);
    number(state.known(fact.backlog()).messages(), fact);
    topic.numbersUsedUpTo(fact.topicNumber() + fact.sequenceNumbers().length);
    state.refresh(topic);
  }

  /** S-146: the topic's numbers. */
  private static void number(MessageIndex backlog, ForwardFact.ActivatedInBacklog fact) {
    for (int k = 0; k < fact.sequenceNumbers().length; k++) {
      long place = backlog.find(fact.firstSequenceNumber() + k);
      if (place != Place.NONE) {
        backlog.chunk(place).setEnqueuedNumber(Place.row(place), fact.topicNumber() + k);
      }
    }
  }

  /** Makes scheduled messages active, in the place that the fact names. */
  private static void activate(
      MachineState state, long index, QueueState from, Fact.Activated fact) {
    QueueState queue = state.known(fact.queue());
    state.checkNumbersConsecutive(queue, fact.firstSequenceNumber());
    state.beforeInsert(queue.messages().chunks(), fact.firstSequenceNumber());
    long next = fact.firstSequenceNumber();
    for (long number : fact.sequenceNumbers()) {
      long place = find(state, from, number);
      if (place != Place.NONE) {
        Chunk chunk = from.scheduled().chunk(place);
        int row = Place.row(place);
        long enqueued = fact.enqueuedAtMillis();
        long expires = ScheduledMessages.expiresAtMillis(chunk, row, enqueued);
        queue.messages().append(chunk, row, next, enqueued, expires, index);
        from.scheduled().remove(place);
      }
      next++;
    }
    queue.numbersUsedUpTo(next);
    state.refresh(queue);
  }

  /** The message, which must be there unless facts may be missing. */
  private static long find(MachineState state, QueueState queue, long number) {
    long place = queue.scheduled().find(number);
    state.checkConsecutive(place != Place.NONE, "facts are about messages here");
    if (place != Place.NONE) {
      state.beforeChange(queue.scheduled().chunks(), place);
    }
    return place;
  }
}
