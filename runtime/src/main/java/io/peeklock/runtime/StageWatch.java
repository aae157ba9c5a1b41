package io.peeklock.runtime;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices when a stage of the shard has work to do and makes no progress, whatever the reason: what
 * it waits for does not come, or it goes round. It is logged once, and once more when it goes on.
 * The home's, but for {@link #stoodMillis}.
 */
final class StageWatch {
  private static final Logger LOG = LoggerFactory.getLogger(StageWatch.class);

  /** A stage that waits longer stands still. */
  private static final long PATIENCE_MILLIS = 1_000;

  private static final long NEVER = Long.MIN_VALUE;

  private final String stage;
  private final Home home;
  private final ShardClock clock;
  private volatile long waitsFromMillis = NEVER; // written by the home
  private boolean armed;
  private boolean told;

  /**
   * Watches one stage.
   *
   * @param stage as operators are told of it, the beginning of a sentence
   */
  StageWatch(String stage, Home home, ShardClock clock) {
    this.stage = stage;
    this.home = home;
    this.clock = clock;
  }

  /** The stage has work to do, and waits for something first. */
  void waits() {
    if (waitsFromMillis == NEVER) {
      waitsFromMillis = clock.monotonicMillis();
      arm();
    }
  }

  /** The stage made progress, or has nothing to do. */
  void goesOn() {
    if (told) {
      LOG.info("{} goes on after {} ms", stage, waitedMillis());
    }
    told = false;
    waitsFromMillis = NEVER;
  }

  /** For how long it has had work to do and made no progress; 0 when it goes on. Any thread. */
  long stoodMillis() {
    var from = waitsFromMillis;
    return from == NEVER ? 0 : Math.max(0, clock.monotonicMillis() - from);
  }

  /** That it stands still, and for how long; empty when it does not. */
  Optional<String> trouble() {
    return stands()
        ? Optional.of(stage + " has made no progress for " + waitedMillis() + " ms")
        : Optional.empty();
  }

  private boolean stands() {
    return waitsFromMillis != NEVER && waitedMillis() >= PATIENCE_MILLIS;
  }

  private long waitedMillis() {
    return clock.monotonicMillis() - waitsFromMillis;
  }

  /** One alarm at a time, however often it waits. */
  private void arm() {
    if (!armed) {
      armed = true;
      home.executeLater(PATIENCE_MILLIS, this::look);
    }
  }

  private void look() {
    armed = false;
    if (waitsFromMillis == NEVER) {
      return;
    }
    if (stands() && !told) {
      told = true;
      LOG.warn("{} has made no progress for {} ms, with work to do", stage, waitedMillis());
    }
    if (!told) {
      arm();
    }
  }
}
