package io.peeklock.kernel;

/** What is now true of an entity as a whole, and of messages that nobody received. */
public sealed interface EntityFact extends Fact {

  /** An entity has other properties, for what comes from here on (S-067, S-282, R-28). */
  record QueueUpdated(QueueId queue, QueueDefinition definition, long updatedAtMillis)
      implements EntityFact {}

  /**
   * An entity is no more: its path is free, its message ids are forgotten, its topic no longer
   * feeds it (S-071). What it holds goes with {@link Deleted}, {@link Fact.Cancelled} and {@link
   * Fact.SessionStateSet}, a little at a time; nothing else is said about it.
   */
  record QueueDeleted(QueueId queue) implements EntityFact {}

  /** Messages are gone without having been received (S-071, S-411). */
  record Deleted(QueueId queue, long[] sequenceNumbers) implements EntityFact {}

  /**
   * A queue as a checkpoint has it: {@link MessagesRestored} brings what it holds, and nothing else
   * of it is left. Only in checkpoints and where a repaired log begins.
   *
   * @param nextSequenceNumber the number that the next message gets
   * @param deleted whether it is no more, and is being emptied ({@link QueueDeleted})
   */
  record QueueRestored(QueueEntry entry, long nextSequenceNumber, boolean deleted)
      implements EntityFact {
    /** Its number. */
    public QueueId queue() {
      return entry.queue();
    }
  }
}
