package io.peeklock.runtime.intake;

/**
 * The time for which a client could not send because the broker did not read it, for lack of room.
 * One thread notes begin and end, any thread may read; a read at such a moment may be too high
 * once.
 */
public final class UnreadTime {
  private static final long READS = Long.MAX_VALUE;

  private volatile long sinceMillis = READS;
  private volatile long beforeMillis;

  /** Reading stops now. A second call does nothing. */
  public void begin(long nowMillis) {
    if (sinceMillis == READS) {
      sinceMillis = nowMillis;
    }
  }

  /** Reading resumes now. A second call does nothing. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // only one thread writes it
  public void end(long nowMillis) {
    var since = sinceMillis;
    if (since != READS) {
      beforeMillis += nowMillis - since;
      sinceMillis = READS;
    }
  }

  /** The total until now, in milliseconds. */
  public long millis(long nowMillis) {
    var since = sinceMillis;
    return beforeMillis + (since == READS ? 0 : Math.max(0, nowMillis - since));
  }
}
