package io.peeklock.kernel;

import org.jspecify.annotations.Nullable;

/**
 * What is now true, as the log has it. Applying a fact needs no clock and no rule, so an old log
 * replays to the same state under a later version. Columns, not objects, for bursts: arrays are
 * exactly as long as the burst and never changed after construction.
 */
public sealed interface Fact {

  /** A queue and its dead-letter queue exist. */
  record QueueCreated(QueueId queue, QueueId deadLetterQueue, QueueDefinition definition)
      implements Fact {}

  /**
   * Messages are stored, with numbers and body ids counting up from the first (S-140, S-144).
   *
   * @param expiresAtMillis when each expires, {@link QueueDefinition#FOREVER} for never; null when
   *     none does (S-162)
   */
  record Enqueued(
      QueueId queue,
      long firstSequenceNumber,
      long firstBodyId,
      long enqueuedAtMillis,
      int[] sizes,
      int[] headerBytes,
      long @Nullable [] expiresAtMillis)
      implements Fact {}

  /** Messages are done and gone (S-030). */
  record Completed(QueueId queue, long[] sequenceNumbers) implements Fact {}

  /** Messages left by receive-and-delete (S-021). */
  record Consumed(QueueId queue, long[] sequenceNumbers) implements Fact {}

  /** Messages expired and were dropped (S-168). */
  record Expired(QueueId queue, long[] sequenceNumbers) implements Fact {}

  /**
   * Messages were let go with a count: back to active, or to deferred where they were deferred
   * (S-120, S-212).
   *
   * @param overlay changed properties, with a single number only; null for none
   */
  record Abandoned(QueueId queue, long[] sequenceNumbers, @Nullable StoredOverlay overlay)
      implements Fact {}

  /** Locks lapsed; counts as a failed attempt (S-121, S-033). */
  record LockLapsed(QueueId queue, long[] sequenceNumbers) implements Fact {}

  /** Messages are set aside, with a count (S-206, S-123). */
  record Deferred(QueueId queue, long[] sequenceNumbers, @Nullable StoredOverlay overlay)
      implements Fact {}

  /**
   * Messages moved to the dead-letter queue with their numbers and times kept.
   *
   * @param counted whether the move ended a counted attempt, so that the dead letter carries one
   *     more
   */
  record DeadLettered(
      QueueId queue,
      QueueId deadLetterQueue,
      long[] sequenceNumbers,
      DeadLetterCause cause,
      boolean counted,
      @Nullable StoredOverlay overlay)
      implements Fact {}

  /**
   * What a new segment begins with, so that those before it can go: the counters of the whole
   * shard, followed by one {@link QueueDescribed} for each queue. Changes nothing in a state that
   * already has them.
   *
   * @param nextQueueNumber the number that the next queue gets
   * @param nextBodyId the id that the next body gets
   */
  record NamespaceDescribed(int nextQueueNumber, long nextBodyId) implements Fact {}

  /**
   * A queue as it stands where a segment begins. In a replay that starts here, messages below the
   * next number that no remaining segment holds are gone, and facts about them are passed over.
   *
   * @param nextSequenceNumber the number that the next message gets
   */
  record QueueDescribed(
      QueueId queue, QueueId deadLetterQueue, QueueDefinition definition, long nextSequenceNumber)
      implements Fact {}

  /**
   * Where the changed properties of the fact's one message are stored.
   *
   * @param bodyId the overlay's body id
   * @param bytes its size
   */
  record StoredOverlay(long bodyId, int bytes) {}
}
