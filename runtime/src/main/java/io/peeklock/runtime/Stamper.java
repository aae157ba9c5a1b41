package io.peeklock.runtime;

import io.peeklock.kernel.request.Stamp;
import io.peeklock.runtime.thread.AnyThread;
import java.time.Duration;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the clocks once per drain. Shard time starts at the wall clock and follows the monotonic
 * one, bent towards the wall by at most one part in two hundred, and is never below the last
 * durable time. It jumps forward at once by the time that the machine slept, and to a wall clock
 * that is ahead for an unknown reason only after a while; it is never stepped back.
 *
 * <p>The wall time of a stamp is shard time, or the wall clock if that is behind. Everything except
 * {@link #aheadMillis} belongs to the shard's thread.
 */
final class Stamper {
  private static final Logger LOG = LoggerFactory.getLogger(Stamper.class);
  private static final long SLEW_DIVISOR = 200;

  /** A wall clock that is further ahead than this is followed by a jump. */
  private static final long JUMP_MILLIS = 1_000;

  /**
   * How long a wall clock must be ahead before shard time follows, so that a wrong setting can be
   * corrected.
   */
  private static final long DOUBT_MILLIS = 10_000;

  /** Logged when shard time is this far ahead. */
  private static final long REPORTED_MILLIS = 60_000;

  private static final long NEVER = Long.MIN_VALUE;

  private final ShardClock clock;
  private long shardMillis;
  private long monotonicMillis;
  private long sleptMillis;
  private long wallLeadMillis; // how far the wall clock was ahead of the monotonic one
  private long slewCredit;
  private long jumpedAtMillis = NEVER;
  private boolean reported;
  private volatile long aheadMillis;

  Stamper(ShardClock clock) {
    this.clock = clock;
    startAt(0);
  }

  /** Starts at the wall clock, but not below {@code lastDurableMillis}. */
  void startAt(long lastDurableMillis) {
    shardMillis = Math.max(clock.wallMillis(), lastDurableMillis);
    monotonicMillis = clock.monotonicMillis();
    sleptMillis = clock.sleptMillis();
    slewCredit = 0;
    jumpedAtMillis = NEVER;
    look();
  }

  Stamp next(long index) {
    var monotonic = clock.monotonicMillis();
    var elapsed = Math.max(0, monotonic - monotonicMillis);
    var wall = clock.wallMillis();
    monotonicMillis += elapsed;
    slewCredit = Math.min(slewCredit + elapsed, 1_000 * SLEW_DIVISOR);
    shardMillis += elapsed + slew(elapsed, wall);
    if (wall - shardMillis > JUMP_MILLIS) {
      follow(wall);
    } else {
      jumpedAtMillis = NEVER;
    }
    return new Stamp(shardMillis, monotonicMillis, Math.min(shardMillis, wall), index);
  }

  private long slew(long elapsed, long wall) {
    var behind = wall - (shardMillis + elapsed);
    var most = slewCredit / SLEW_DIVISOR;
    var step = Math.max(-Math.min(most, elapsed), Math.min(most, behind));
    if (step != 0) {
      slewCredit -= Math.abs(step) * SLEW_DIVISOR;
    }
    return step;
  }

  /** A sleep explains a jump of its length. For the rest the clock may just be being set. */
  private void follow(long wall) {
    var slept = clock.sleptMillis() - sleptMillis;
    var explained = Math.min(wall - shardMillis, slept);
    if (explained > 0) {
      sleptMillis += slept;
      shardMillis += explained;
      LOG.info("The machine slept for {}; shard time goes on from now", words(slept));
    }
    var left = wall - shardMillis;
    if (left <= JUMP_MILLIS) {
      jumpedAtMillis = NEVER;
    } else if (jumpedAtMillis == NEVER) {
      jumpedAtMillis = monotonicMillis;
      LOG.warn(
          "This machine's clock is {} ahead of shard time, and no sleep explains it; shard time"
              + " follows in {} unless the clock is set back",
          words(left),
          words(DOUBT_MILLIS));
    } else if (monotonicMillis - jumpedAtMillis >= DOUBT_MILLIS) {
      jumpedAtMillis = NEVER;
      shardMillis = wall;
      LOG.warn("Shard time went forward by {}, to this machine's clock", words(left));
    }
  }

  /**
   * Compares the clocks between drains. Returns whether a drain is needed: the wall clock jumped,
   * so that shard time must follow or something is due.
   */
  boolean look() {
    var monotonic = clock.monotonicMillis();
    var wall = clock.wallMillis();
    var ahead = shardMillis + Math.max(0, monotonic - monotonicMillis) - wall;
    var jumped = wall - monotonic - wallLeadMillis > JUMP_MILLIS;
    wallLeadMillis = wall - monotonic;
    aheadMillis = Math.max(0, ahead);
    if (ahead >= REPORTED_MILLIS && !reported) {
      reported = true;
      LOG.warn(
          "Shard time is {} ahead of this machine's clock, because the clock was ahead once and"
              + " what is in the log must not become younger. Schedules and locks go by the clock;"
              + " enqueued times and times to live go by shard time, which comes back by 0.5 %"
              + " only",
          words(ahead));
    } else if (reported && ahead < REPORTED_MILLIS / 2) {
      reported = false;
      LOG.info("Shard time and this machine's clock agree again");
    }
    return jumped || -ahead > JUMP_MILLIS;
  }

  /** How far shard time was ahead of the wall clock at the last {@link #look}, in milliseconds. */
  @AnyThread
  long aheadMillis() {
    return aheadMillis;
  }

  private static String words(long millis) {
    var text = Duration.ofSeconds(millis / 1_000).toString().substring(2);
    return text.toLowerCase(Locale.ROOT);
  }
}
