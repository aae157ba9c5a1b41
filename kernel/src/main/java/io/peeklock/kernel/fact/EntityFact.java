package io.peeklock.kernel.fact;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueEntry;
import io.peeklock.kernel.entity.QueueId;

/** What is now true of an entity as a whole, and of messages that nobody received. */
public sealed interface EntityFact extends Fact {

  /** An entity has other properties, for what comes from here on (S-067, S-282, R-28). */
  record QueueUpdated(QueueId queue, QueueDefinition definition, long updatedAtMillis)
      implements EntityFact, Fact.AboutQueue {}

  /**
   * An entity is no more: its path is free, its message ids are forgotten, its topic no longer
   * feeds it (S-071). What it holds goes with {@link Deleted}, {@link Fact.Cancelled} and {@link
   * Fact.SessionStateSet}, a little at a time; nothing else is said about it.
   */
  record QueueDeleted(QueueId queue) implements EntityFact, Fact.AboutQueue {}

  /**
   * An entity is no more, as with {@link QueueDeleted}, and one like it is in its place, which
   * begins anew but for its rules: a topic has those of its subscriptions, each of which is made
   * again in the same batch, after it. So a hundred thousand rules stay where they are.
   *
   * @param before the one that is no more
   */
  record QueueMadeAgain(
      QueueId before,
      QueueId queue,
      QueueId deadLetterQueue,
      QueueDefinition definition,
      long createdAtMillis)
      implements EntityFact, Fact.DefinesQueue {
    /** The one in its place, without the rules. */
    public Fact.QueueCreated created() {
      return new Fact.QueueCreated(queue, deadLetterQueue, definition, createdAtMillis);
    }
  }

  /** Messages are gone without having been received (S-071, S-411). */
  record Deleted(QueueId queue, long[] sequenceNumbers)
      implements EntityFact, Fact.RemovesMessages {}

  /**
   * A queue as a checkpoint has it: {@link MessagesRestored} brings what it holds, and nothing else
   * of it is left. Only in checkpoints and where a repaired log begins.
   *
   * @param nextSequenceNumber the number that the next message gets
   * @param deleted whether it is no more, and is being emptied ({@link QueueDeleted})
   */
  record QueueRestored(QueueEntry entry, long nextSequenceNumber, boolean deleted)
      implements EntityFact, Fact.DefinesQueue, Fact.InCheckpoint {
    @Override
    public QueueId queue() {
      return entry.queue();
    }

    @Override
    public QueueId deadLetterQueue() {
      return entry.deadLetterQueue();
    }

    @Override
    public QueueDefinition definition() {
      return entry.definition();
    }
  }
}
