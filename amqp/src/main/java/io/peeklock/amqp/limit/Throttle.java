package io.peeklock.amqp.limit;

import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.error.MessageProblem;
import io.peeklock.runtime.ShardClock;
import io.peeklock.runtime.thread.AnyThread;

/**
 * The credits of a namespace: so many per second, and what is left at its end lapses (S-445). An
 * operation goes on while there is any, even if it costs more than is left.
 */
@AnyThread
public final class Throttle {
  private static final long PERIOD_MILLIS = 1_000;

  /** What its use costs beside the messages that a client sends, takes or looks at (S-446). */
  public static final int MANAGEMENT = 10;

  public static final MessageProblem BUSY =
      new MessageProblem(
          Conditions.SERVER_BUSY,
          "The request was terminated because the namespace is being throttled. Error code : 50009."
              + " Please wait 2 seconds and try again");

  private final ShardClock clock;
  private final long perPeriod;
  private long period = Long.MIN_VALUE;
  private long left;
  private long refused;

  /** Gives out so many a second; 0 for no limit. */
  public Throttle(ShardClock clock, long creditsPerSecond) {
    this.clock = clock;
    this.perPeriod = creditsPerSecond;
  }

  /** Whether there is a limit at all. */
  public boolean isOn() {
    return perPeriod > 0;
  }

  /** Pays for an operation; false when there is no credit left, and then it costs nothing. */
  public boolean pay(long credits) {
    return credits == 0 || !isOn() || payNow(credits);
  }

  private synchronized boolean payNow(long credits) {
    refill();
    if (left <= 0) {
      refused++;
      return false;
    }
    left -= credits;
    return true;
  }

  /** Pays for what has happened. */
  public void owe(int credits) {
    if (isOn()) {
      oweNow(credits);
    }
  }

  private synchronized void oweNow(int credits) {
    refill();
    left -= credits;
  }

  /** How many are left, at least 0. */
  public synchronized long left() {
    refill();
    return Math.max(0, left);
  }

  /** How many operations could not be paid for. */
  public synchronized long refused() {
    return refused;
  }

  /** Until there are new ones. */
  public long millisToNext() {
    return PERIOD_MILLIS - Math.floorMod(clock.monotonicMillis(), PERIOD_MILLIS);
  }

  private void refill() {
    var now = Math.floorDiv(clock.monotonicMillis(), PERIOD_MILLIS);
    if (now != period) {
      period = now;
      left = perPeriod;
    }
  }
}
