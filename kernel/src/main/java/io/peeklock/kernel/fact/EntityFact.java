package io.peeklock.kernel.fact;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueEntry;
import io.peeklock.kernel.entity.QueueId;

/**
 * A fact about an entity as a whole, or about messages that are gone without having been received.
 */
public sealed interface EntityFact extends Fact {

  /**
   * An entity has new properties, which hold for what comes after this fact (S-067, S-282, R-28).
   */
  record QueueUpdated(QueueId queue, QueueDefinition definition, long updatedAtMillis)
      implements EntityFact, Fact.AboutQueue {}

  /**
   * An entity is deleted: its path is free, its message ids are forgotten, its topic no longer
   * feeds it (S-071). Its contents go with {@link Deleted}, {@link Fact.Cancelled} and {@link
   * Fact.SessionStateSet}, a part at a time; no other fact about it follows.
   */
  record QueueDeleted(QueueId queue) implements EntityFact, Fact.AboutQueue {}

  /**
   * An entity is deleted, as with {@link QueueDeleted}, and an empty one with the same definition
   * takes its place. The rules stay: a topic keeps those of its subscriptions, which are made again
   * after it in the same batch. So a hundred thousand rules need not be copied.
   *
   * @param before the deleted entity
   */
  record QueueMadeAgain(
      QueueId before,
      QueueId queue,
      QueueId deadLetterQueue,
      QueueDefinition definition,
      long createdAtMillis)
      implements EntityFact, Fact.DefinesQueue {
    /** The creation of the new entity, without the rules. */
    public Fact.QueueCreated created() {
      return new Fact.QueueCreated(queue, deadLetterQueue, definition, createdAtMillis);
    }
  }

  /** Messages are gone without having been received (S-071, S-411). */
  record Deleted(QueueId queue, long[] sequenceNumbers)
      implements EntityFact, Fact.RemovesMessages {}

  /**
   * A queue as a checkpoint has it; {@link MessagesRestored} brings its messages. Only in
   * checkpoints and at the beginning of a repaired log.
   *
   * @param nextSequenceNumber the number that the next message gets
   * @param deleted whether it is deleted and still being emptied ({@link QueueDeleted})
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
