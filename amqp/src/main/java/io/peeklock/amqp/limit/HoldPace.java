package io.peeklock.amqp.limit;

/**
 * Whether a client takes what is held for it fast enough: within a period a part of what was held
 * at its beginning must leave. Looked at every second or so.
 */
public final class HoldPace {
  private static final long STOPPED = Long.MIN_VALUE;

  private final long periodMillis;
  private final long parts;
  private long sinceMillis = STOPPED;
  private long needed;
  private long leftBefore;

  /**
   * A pace.
   *
   * @param periodMillis how long the client has
   * @param parts the part that must leave in a period is one of so many, at least one byte
   */
  public HoldPace(long periodMillis, long parts) {
    this.periodMillis = periodMillis;
    this.parts = parts;
  }

  /** Nothing is held, or nobody minds: the next look begins a period. */
  public void stop() {
    sinceMillis = STOPPED;
  }

  /**
   * Looks.
   *
   * @param nowMillis monotonic
   * @param heldBytes held now
   * @param leftBytes have left, ever
   * @return whether a period is over without what must leave in it
   */
  public boolean isTooSlow(long nowMillis, long heldBytes, long leftBytes) {
    if (sinceMillis == STOPPED || leftBytes - leftBefore >= needed) {
      sinceMillis = nowMillis;
      needed = Math.max(1, heldBytes / parts);
      leftBefore = leftBytes;
    }
    return nowMillis - sinceMillis >= periodMillis;
  }

  /** When the period is over; far away when there is none. */
  public long endMillis() {
    return sinceMillis == STOPPED ? Long.MAX_VALUE : sinceMillis + periodMillis;
  }
}
