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

  static void note(Fact.Published fact, SequenceLedgers accounts) {
    var count = fact.sizes().length;
    accounts.of(fact.topic()).given(fact.firstSequenceNumber(), count);
    note(fact.copies(), new boolean[count], accounts);
  }

  static void note(Fact.ScheduledPublished fact, SequenceLedgers accounts) {
    var topic = accounts.of(fact.topic());
    topic.given(fact.firstSequenceNumber(), fact.sequenceNumbers().length);
    note(fact.copies(), topic.left(fact.sequenceNumbers()), accounts);
  }

  static void note(ForwardFact fact, SequenceLedgers accounts) {
    switch (fact) { // no default: a new fact must be thought about
      case ForwardFact.Forwarded moved -> note(moved, accounts);
      case ForwardFact.ForwardPublished moved -> {
        var missed = accounts.of(moved.source()).left(moved.sequenceNumbers());
        accounts.of(moved.topic()).given(moved.firstSequenceNumber(), missed.length);
        note(moved.copies(), missed, accounts);
      }
      case ForwardFact.Dropped dropped ->
          accounts.of(dropped.queue()).settled(dropped.sequenceNumbers());
    }
  }

  private static void note(ForwardFact.Forwarded moved, SequenceLedgers accounts) {
    var missed = accounts.of(moved.source()).left(moved.sequenceNumbers());
    var destination = accounts.of(moved.destination());
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
  private static void note(Copies[] all, boolean[] missed, SequenceLedgers accounts) {
    for (var copies : all) {
      var own = copies.messages();
      var count = own == null ? missed.length : own.length;
      accounts.of(copies.subscription()).given(copies.firstSequenceNumber(), count);
      for (var i = 0; i < count; i++) {
        if (missed[own == null ? i : own[i]]) {
          accounts.of(placeOf(copies, i)).miss(copies.firstSequenceNumber() + i);
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
