package io.peeklock.kernel.request;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.fact.Fact;
import org.jspecify.annotations.Nullable;

/**
 * What the rules need to know of messages that arrived together, column by column; the bytes stay
 * with the runtime. Handed over once per read burst, so nothing here is made per message. The
 * arrays belong to the kernel from the hand-over on and may be longer than the count.
 *
 * @param count how many messages, at least 1
 * @param sizes bytes of each stored message (S-432)
 * @param headerBytes bytes of each message's properties and application properties (S-074)
 * @param timeToLiveMillis each message's own time to live, or {@link QueueDefinition#FOREVER}
 * @param dueAtMillis when each is to become active (S-147), {@link #AT_ONCE} for at once; null when
 *     all are
 * @param messageIdHashes two numbers for each: a 128-bit hash of its message id, both 0 without
 *     one; null unless the queue detects duplicates (S-266)
 * @param sessionIds of each, null without one; null unless the queue has sessions (S-231)
 * @param subjects the messages as filters see them; null unless they go to a topic
 * @param givenNumbers the number that each was {@link Fact.NumbersGiven given} before, 0 for none;
 *     null when none was. It counts as long as the message waits for its time
 * @param partitionKeys what would choose their partitions; null unless the entity is partitioned
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

  /** Not scheduled. */
  public static final long AT_ONCE = 0;

  // Not in its compact form, in which the class file loses that arrays may be null.
  /** Refuses a count that the columns do not cover. */
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

  /** Messages that get their numbers when they are stored. */
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

  /** Messages for a queue, which nobody filters. */
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

  /** Messages for now, without session, for a queue that detects no duplicates. */
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

  /** The number that a message has already; 0 when it gets a new one. */
  public long givenNumber(int i, long nowMillis) {
    return givenNumbers != null && isDueAfter(i, nowMillis) ? givenNumbers[i] : 0;
  }

  /** Whether a message waits for its time (S-150: one that is past does not). */
  public boolean isDueAfter(int i, long nowMillis) {
    return dueAtMillis != null && dueAtMillis[i] > nowMillis;
  }
}
