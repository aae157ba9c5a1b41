package io.peeklock.store;

import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.Copies;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.ForwardFact;

/**
 * Notes the numbers that moved messages get in the ledgers of their destinations. A message that is
 * missing at its source is missing at its destination.
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

  /** Notes a part: the message stays at its source, or is missing there, until the last part. */
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
   * Notes the copies in subscriptions.
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

  /** The queue of a copy: its subscription, or the dead-letter queue of that. */
  private static QueueId placeOf(Copies copies, int copy) {
    var causes = copies.causes();
    return causes == null || causes[copy] == DeadLetterCause.NONE
        ? copies.subscription()
        : new QueueId(copies.subscription().number() + 1);
  }
}
