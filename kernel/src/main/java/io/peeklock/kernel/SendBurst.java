package io.peeklock.kernel;

/**
 * What the rules need to know of messages that arrived together, column by column; the bytes stay
 * with the runtime. Handed over once per read burst, so nothing here is made per message. The
 * arrays belong to the kernel from the hand-over on and may be longer than the count.
 *
 * @param count how many messages, at least 1
 * @param sizes bytes of each stored message (S-432)
 * @param headerBytes bytes of each message's properties and application properties (S-074)
 * @param timeToLiveMillis each message's own time to live, or {@link QueueDefinition#FOREVER}
 */
public record SendBurst(int count, int[] sizes, int[] headerBytes, long[] timeToLiveMillis) {
  /** Refuses a count that the columns do not cover. */
  public SendBurst {
    if (count < 1
        || sizes.length < count
        || headerBytes.length < count
        || timeToLiveMillis.length < count) {
      throw new IllegalArgumentException("a burst has at least one message and full columns");
    }
  }
}
