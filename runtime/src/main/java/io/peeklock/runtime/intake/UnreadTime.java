package io.peeklock.runtime.intake;

/**
 * For how long a client could not bring more because the broker did not read it, for want of room
 * of its own. One thread says when that begins and ends, any thread asks; who asks at such a moment
 * may be told too much, for once.
 */
public final class UnreadTime {
  private static final long READS = Long.MAX_VALUE;

  private volatile long sinceMillis = READS;
  private volatile long beforeMillis;

  /** From now on it is not read. Again means nothing. */
  public void begin(long nowMillis) {
    if (sinceMillis == READS) {
      sinceMillis = nowMillis;
    }
  }

  /** It is read again. Again means nothing. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread alone writes it
  public void end(long nowMillis) {
    var since = sinceMillis;
    if (since != READS) {
      beforeMillis += nowMillis - since;
      sinceMillis = READS;
    }
  }

  /** All of that time until now. */
  public long millis(long nowMillis) {
    var since = sinceMillis;
    return beforeMillis + (since == READS ? 0 : Math.max(0, nowMillis - since));
  }
}
