package io.peeklock.kernel.request;

/**
 * The time that a decision is made at, read once per drain by the shard and given to the kernel.
 *
 * @param nowMillis shard time: UTC milliseconds since 1970, never stepped, never falling; the times
 *     that facts carry come from here
 * @param monotonicMillis milliseconds on a clock that only the passing of time moves; deadlines of
 *     locks are kept on it, and how long an entity is idle
 * @param wallMillis what time it is for everybody else, UTC milliseconds since 1970: shard time, or
 *     less when the machine's clock is behind it, because it was ahead once and shard time never
 *     falls. What clients ask for and are told as a time of day, and the log does not keep, is held
 *     to this one: when a scheduled message is due, until when a lock is held
 * @param index the index of the batch that is being built; facts decided under this stamp belong to
 *     it
 */
public record Stamp(long nowMillis, long monotonicMillis, long wallMillis, long index) {

  /** A time so close to the present one was read off a clock, and not off a message. */
  private static final long ABOUT_NOW_MILLIS = 60_000;

  /** A time at which shard time and the machine's clock agree. */
  public Stamp(long nowMillis, long monotonicMillis, long index) {
    this(nowMillis, monotonicMillis, nowMillis, index);
  }

  /**
   * A time of day that a client gave, to be compared with times that facts carry. About the present
   * time, a minute before or after it, what everybody else's clocks say is as far from {@link
   * #wallMillis} as the answer is from {@link #nowMillis}: whoever says "until now" means what is
   * there now. Any other time may be one that a message told, which is shard time as it is.
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
