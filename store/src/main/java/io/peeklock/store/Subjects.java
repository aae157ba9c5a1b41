package io.peeklock.store;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueEntry;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.fact.Fact;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What facts are about, by the interfaces that they implement. */
final class Subjects {
  /** The duplicate window when it is unknown (S-268). */
  private static final long DEFAULT_WINDOW_MILLIS = 10 * 60_000L;

  private static final long[] NOTHING = {};

  private Subjects() {}

  /**
   * A queue as a fact describes it.
   *
   * @param next the number that the next message gets
   */
  record DefinedQueue(
      QueueId queue, QueueId deadLetterQueue, QueueDefinition definition, long next) {
    /** As one that holds nothing. */
    EntityFact.QueueRestored restored() {
      return new EntityFact.QueueRestored(
          new QueueEntry(queue, deadLetterQueue, definition, 0, 0), 1, false);
    }

    DefinedQueue with(QueueDefinition other) {
      return new DefinedQueue(queue, deadLetterQueue, other, next);
    }
  }

  /** The queues that a fact names: source, destination, then those with copies. */
  static List<QueueId> of(Fact fact) {
    var all = new ArrayList<QueueId>();
    if (fact instanceof EntityFact.QueueMadeAgain made) {
      add(made.before(), all);
    }
    if (fact instanceof Fact.MovesMessages moved) {
      add(moved.source(), all);
      add(moved.destination(), all);
    }
    if (fact instanceof Fact.AboutQueue some) {
      add(some.queue(), all);
    }
    if (fact instanceof Fact.DefinesQueue made) {
      add(made.deadLetterQueue(), all);
    }
    if (fact instanceof Fact.CopiesMessages copied) {
      add(copied.topic(), all);
      for (var copies : copied.copies()) { // each is for another subscription
        all.add(copies.subscription());
      }
    }
    return all;
  }

  private static void add(QueueId queue, List<QueueId> all) {
    if (!all.contains(queue)) {
      all.add(queue);
    }
  }

  /** The queue that a fact describes; null for a fact about messages. */
  static @Nullable DefinedQueue definedBy(Fact fact) {
    return fact instanceof Fact.DefinesQueue made
        ? new DefinedQueue(
            made.queue(), made.deadLetterQueue(), made.definition(), made.nextSequenceNumber())
        : null;
  }

  /** The numbers of messages that a fact removes. */
  static long[] settledBy(Fact fact) {
    return fact instanceof Fact.RemovesMessages done ? done.sequenceNumbers() : NOTHING;
  }

  /**
   * A definition with what a fact shows: whether the queue has sessions, and whether it detects
   * duplicates.
   */
  static QueueDefinition shown(QueueDefinition definition, Fact fact) {
    if (fact instanceof EntityFact.QueueUpdated updated) {
      return updated.definition();
    }
    if (!(fact instanceof Fact.ShowsFeatures some)) {
      return definition;
    }
    var known = some.showsSessions() ? definition.withSession(true) : definition;
    return some.showsDuplicateDetection()
        ? known.withDuplicateWindow(DEFAULT_WINDOW_MILLIS)
        : known;
  }
}
