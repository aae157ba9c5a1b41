package io.peeklock.kernel.request;

/**
 * The time of a decision, read by the shard once per drain of its mailbox.
 *
 * @param nowMillis shard time: UTC milliseconds since 1970, never stepped, never falling; the times
 *     that facts carry come from here
 * @param monotonicMillis milliseconds on a monotonic clock, for lock deadlines and for how long an
 *     entity is idle
 * @param wallMillis the time of day of the machine's clock, UTC milliseconds since 1970: equal to
 *     shard time, or less when the clock was ahead once and went back, as shard time never falls.
 *     Times of day that clients give or get and the log does not keep are compared with this one:
 *     when a scheduled message is due, until when a lock is held
 * @param index the index of the batch that is being built; facts decided under this stamp belong to
 *     it
 */
public record Stamp(long nowMillis, long monotonicMillis, long wallMillis, long index) {

  /** A time this close to the present was read from a clock, and not from a message. */
  private static final long ABOUT_NOW_MILLIS = 60_000;

  /** A stamp whose shard time and wall time agree. */
  public Stamp(long nowMillis, long monotonicMillis, long index) {
    this(nowMillis, monotonicMillis, nowMillis, index);
  }

  /**
   * Converts a time of day that a client gave to shard time, to compare it with times in facts.
   * Within a minute of {@link #wallMillis} the client means the present, so the distance to it is
   * kept relative to {@link #nowMillis}: "until now" includes what is there now. Any other time may
   * come from a message and is shard time already.
   *
   * @param timeOfDayMillis UTC milliseconds since 1970, of any size
   */
  public long shardTimeOf(long timeOfDayMillis) {
    boolean isAboutNow =
        timeOfDayMillis >= wallMillis - ABOUT_NOW_MILLIS
            && timeOfDayMillis <= wallMillis + ABOUT_NOW_MILLIS;
    return isAboutNow ? timeOfDayMillis + nowMillis - wallMillis : timeOfDayMillis;
  }
}
