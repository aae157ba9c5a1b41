package io.peeklock.kernel.request;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.fact.Fact;
import org.jspecify.annotations.Nullable;

/**
 * The properties of messages that arrived together, as far as the rules need them, column by
 * column; the bytes stay with the runtime. There is one burst per read, so nothing is allocated per
 * message. The arrays belong to the kernel once they are handed over, and may be longer than the
 * count.
 *
 * @param count how many messages, at least 1
 * @param sizes bytes of each stored message (S-432)
 * @param headerBytes bytes of each message's properties and application properties (S-074)
 * @param timeToLiveMillis each message's own time to live, {@link QueueDefinition#FOREVER} for none
 * @param dueAtMillis when each becomes active (S-147), {@link #AT_ONCE} for at once; null when all
 *     are at once
 * @param messageIdHashes two numbers for each: a 128-bit hash of its message id, both 0 without
 *     one; null unless the queue detects duplicates (S-266)
 * @param sessionIds of each, null without one; null unless the queue has sessions (S-231)
 * @param subjects the messages as filters see them; null unless they go to a topic
 * @param givenNumbers the sequence number that each was {@link Fact.NumbersGiven given} before, 0
 *     for none; null when none was. It is used only while the message is still scheduled
 * @param partitionKeys the keys that choose their partitions; null unless the entity is partitioned
 */
public record SendBurst(
    int count,
    int[] sizes,
    int[] headerBytes,
    long[] timeToLiveMillis,
    long @Nullable [] dueAtMillis,
    long @Nullable [] messageIdHashes,
    @Nullable String @Nullable [] sessionIds,
    @Nullable Subjects subjects,
    long @Nullable [] givenNumbers,
    @Nullable PartitionKeys partitionKeys) {

  /** The messages of a burst as filters see them. */
  @FunctionalInterface
  public interface Subjects {
    /**
     * One of them.
     *
     * @return good until the next call
     */
    MessageView at(int i);
  }

  /** The due time of a message that is not scheduled. */
  public static final long AT_ONCE = 0;

  // Not the compact form: with it the class file loses that arrays may be null.
  /**
   * Creates a burst.
   *
   * @throws IllegalArgumentException when a column is shorter than {@code count}, or {@code count}
   *     is below 1
   */
  public SendBurst(
      int count,
      int[] sizes,
      int[] headerBytes,
      long[] timeToLiveMillis,
      long @Nullable [] dueAtMillis,
      long @Nullable [] messageIdHashes,
      @Nullable String @Nullable [] sessionIds,
      @Nullable Subjects subjects,
      long @Nullable [] givenNumbers,
      @Nullable PartitionKeys partitionKeys) {
    if (count < 1
        || sizes.length < count
        || headerBytes.length < count
        || timeToLiveMillis.length < count
        || isShort(dueAtMillis, count)
        || isShort(messageIdHashes, 2 * count)
        || (sessionIds != null && sessionIds.length < count)
        || isShort(givenNumbers, count)) {
      throw new IllegalArgumentException("a burst has at least one message and full columns");
    }
    this.count = count;
    this.sizes = sizes;
    this.headerBytes = headerBytes;
    this.timeToLiveMillis = timeToLiveMillis;
    this.dueAtMillis = dueAtMillis;
    this.messageIdHashes = messageIdHashes;
    this.sessionIds = sessionIds;
    this.subjects = subjects;
    this.givenNumbers = givenNumbers;
    this.partitionKeys = partitionKeys;
  }

  private static boolean isShort(long @Nullable [] column, int length) {
    return column != null && column.length < length;
  }

  /** A burst of messages that get their numbers when they are stored. */
  public SendBurst(
      int count,
      int[] sizes,
      int[] headerBytes,
      long[] timeToLiveMillis,
      long @Nullable [] dueAtMillis,
      long @Nullable [] messageIdHashes,
      @Nullable String @Nullable [] sessionIds,
      @Nullable Subjects subjects) {
    this(
        count,
        sizes,
        headerBytes,
        timeToLiveMillis,
        dueAtMillis,
        messageIdHashes,
        sessionIds,
        subjects,
        null,
        null);
  }

  /** A burst for a queue, where no filter needs the messages. */
  public SendBurst(
      int count,
      int[] sizes,
      int[] headerBytes,
      long[] timeToLiveMillis,
      long @Nullable [] dueAtMillis,
      long @Nullable [] messageIdHashes,
      @Nullable String @Nullable [] sessionIds) {
    this(
        count,
        sizes,
        headerBytes,
        timeToLiveMillis,
        dueAtMillis,
        messageIdHashes,
        sessionIds,
        null);
  }

  /** A burst of unscheduled messages without sessions, for a queue without duplicate detection. */
  public SendBurst(int count, int[] sizes, int[] headerBytes, long[] timeToLiveMillis) {
    this(count, sizes, headerBytes, timeToLiveMillis, null, null, null);
  }

  /** The same messages, some of them with numbers that were given before. */
  public SendBurst withGivenNumbers(long[] numbers) {
    return new SendBurst(
        count,
        sizes,
        headerBytes,
        timeToLiveMillis,
        dueAtMillis,
        messageIdHashes,
        sessionIds,
        subjects,
        numbers,
        partitionKeys);
  }

  /** The same messages for a partitioned entity. */
  public SendBurst withPartitionKeys(PartitionKeys keys) {
    return new SendBurst(
        count,
        sizes,
        headerBytes,
        timeToLiveMillis,
        dueAtMillis,
        messageIdHashes,
        sessionIds,
        subjects,
        givenNumbers,
        keys);
  }

  /** The number that a message was given before and keeps; 0 when it gets a new one. */
  public long givenNumber(int i, long nowMillis) {
    return givenNumbers != null && isDueAfter(i, nowMillis) ? givenNumbers[i] : 0;
  }

  /** Whether a message is due after this time (S-150: a time in the past means at once). */
  public boolean isDueAfter(int i, long nowMillis) {
    return dueAtMillis != null && dueAtMillis[i] > nowMillis;
  }
}
