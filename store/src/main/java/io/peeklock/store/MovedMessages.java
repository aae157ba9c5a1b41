package io.peeklock.store;

import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.Copies;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.ForwardFact;

/**
 * Writes the numbers that messages get into the accounts of the queues that they come to. One that
 * is missing where it came from is missing where it came to.
 */
final class MovedMessages {
  private MovedMessages() {}

  static void note(Fact fact, SequenceLedgers ledgers) {
    if (fact instanceof Fact.GivesNumbers given) {
      ledgers.of(given.numberedBy()).given(given.firstSequenceNumber(), given.count());
    }
    if (fact instanceof ForwardFact.ActivatedInBacklog due) { // the topic gives numbers too
      ledgers.of(due.source()).given(due.topicNumber(), due.count());
    }
    if (fact instanceof ForwardFact.PartPublished part) {
      note(part, ledgers);
    } else if (fact instanceof Fact.MovesMessages moved) {
      note(moved, ledgers.of(moved.source()).left(moved.sequenceNumbers()), ledgers);
    } else if (fact instanceof Fact.CopiesMessages copied) {
      note(copied.copies(), new boolean[copied.count()], ledgers);
    }
  }

  private static void note(Fact.MovesMessages moved, boolean[] missed, SequenceLedgers ledgers) {
    if (moved instanceof Fact.CopiesMessages copied) {
      note(copied.copies(), missed, ledgers);
      return;
    }
    var destination = ledgers.of(moved.destination());
    for (var i = 0; i < missed.length; i++) {
      if (missed[i]) {
        destination.miss(numberAfter(moved, i));
      }
    }
  }

  private static long numberAfter(Fact.MovesMessages moved, int message) {
    return moved instanceof Fact.GivesNumbers given
        ? given.firstSequenceNumber() + message
        : moved.sequenceNumbers()[message];
  }

  /** A message stays where it is, and is missing there, until its last part. */
  private static void note(ForwardFact.PartPublished part, SequenceLedgers ledgers) {
    var source = ledgers.of(part.source());
    var number = part.sequenceNumber();
    var missed =
        part.last() ? source.left(new long[] {number}) : new boolean[] {source.misses(number)};
    if (part.topicNumber() != 0) {
      ledgers.of(part.topic()).given(part.topicNumber(), 1);
    }
    note(part.copies(), missed, ledgers);
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
