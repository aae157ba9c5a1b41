package io.peeklock.store;

import io.peeklock.kernel.Copies;
import io.peeklock.kernel.DeadLetterCause;
import io.peeklock.kernel.Fact;
import io.peeklock.kernel.ForwardFact;
import io.peeklock.kernel.QueueId;

/**
 * Writes messages into the accounts of the queues that they come to from others. One that is
 * missing where it came from is missing where it came to.
 */
final class MovedMessages {
  private MovedMessages() {}

  static void note(Fact.Published fact, SequenceLedgers ledgers) {
    var count = fact.sizes().length;
    ledgers.of(fact.topic()).given(fact.firstSequenceNumber(), count);
    note(fact.copies(), new boolean[count], ledgers);
  }

  static void note(Fact.ScheduledPublished fact, SequenceLedgers ledgers) {
    var topic = ledgers.of(fact.topic());
    topic.given(fact.firstSequenceNumber(), fact.sequenceNumbers().length);
    note(fact.copies(), topic.left(fact.sequenceNumbers()), ledgers);
  }

  static void note(ForwardFact fact, SequenceLedgers ledgers) {
    switch (fact) { // no default: a new fact must be thought about
      case ForwardFact.Forwarded moved -> note(moved, ledgers);
      case ForwardFact.ForwardPublished moved -> {
        var missed = ledgers.of(moved.source()).left(moved.sequenceNumbers());
        ledgers.of(moved.topic()).given(moved.firstSequenceNumber(), missed.length);
        note(moved.copies(), missed, ledgers);
      }
      case ForwardFact.Dropped dropped ->
          ledgers.of(dropped.queue()).settled(dropped.sequenceNumbers());
    }
  }

  private static void note(ForwardFact.Forwarded moved, SequenceLedgers ledgers) {
    var missed = ledgers.of(moved.source()).left(moved.sequenceNumbers());
    var destination = ledgers.of(moved.destination());
    destination.given(moved.firstSequenceNumber(), missed.length);
    for (var i = 0; i < missed.length; i++) {
      if (missed[i]) {
        destination.miss(moved.firstSequenceNumber() + i);
      }
    }
  }

  /**
   * Copies are in subscriptions.
   *
   * @param missed for each message whether it is missing
   */
  private static void note(Copies[] all, boolean[] missed, SequenceLedgers ledgers) {
    for (var copies : all) {
      var own = copies.messages();
      var count = own == null ? missed.length : own.length;
      ledgers.of(copies.subscription()).given(copies.firstSequenceNumber(), count);
      for (var i = 0; i < count; i++) {
        if (missed[own == null ? i : own[i]]) {
          ledgers.of(placeOf(copies, i)).miss(copies.firstSequenceNumber() + i);
        }
      }
    }
  }

  /** Where a copy is: in its subscription, or among the dead letters of that. */
  private static QueueId placeOf(Copies copies, int copy) {
    var causes = copies.causes();
    return causes == null || causes[copy] == DeadLetterCause.NONE
        ? copies.subscription()
        : new QueueId(copies.subscription().number() + 1);
  }
}
