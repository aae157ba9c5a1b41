package io.peeklock.runtime;

import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.runtime.thread.ShardThread;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices when a stage of the shard has work and makes no progress, because it waits in vain or
 * loops. That is logged once, and once more when the stage continues.
 *
 * <p>Of several requests that it waits for, one may never be answered while the others are. So they
 * are counted in two generations: the older one is closed, and a request of it that is still open
 * {@link #LATE_MILLIS} later is late. A request costs two counts and no object.
 */
@ShardThread
final class StageWatch {
  private static final Logger LOG = LoggerFactory.getLogger(StageWatch.class);

  /** A stage that waits longer than this stalls. */
  private static final long PATIENCE_MILLIS = 1_000;

  /** A request without an answer after this time is lost; even a slow disk is faster. */
  private static final long LATE_MILLIS = 30_000;

  /** The least time for which a generation collects requests. */
  private static final long GENERATION_MILLIS = 5_000;

  private static final long NEVER = Long.MIN_VALUE;

  private final String stage;
  private final ShardExecutor shardExecutor;
  private final ShardClock clock;
  private volatile long waitsFromMillis = NEVER; // written by the shard's thread
  private boolean armed;
  private boolean reported;
  private final int[] unanswered = new int[2];
  private int young;
  private long youngFromMillis;
  private long oldToMillis;
  private boolean awaited;
  private volatile long lateFromMillis = NEVER; // written by the shard's thread

  /**
   * Watches one stage.
   *
   * @param stage its name for operators, the beginning of a sentence
   */
  StageWatch(String stage, ShardExecutor shardExecutor, ShardClock clock) {
    this.stage = stage;
    this.shardExecutor = shardExecutor;
    this.clock = clock;
  }

  /** Notes that the stage has work and must wait. */
  void waits() {
    if (waitsFromMillis == NEVER) {
      waits(clock.monotonicMillis());
    }
  }

  private void waits(long nowMillis) {
    if (waitsFromMillis == NEVER) {
      waitsFromMillis = nowMillis;
      arm();
    }
  }

  /**
   * Notes one more request that the stage waits for.
   *
   * @return a mark for {@link #answered}
   */
  int asked() {
    var nowMillis = clock.monotonicMillis();
    if (unanswered[young] == 0) {
      youngFromMillis = nowMillis;
    } else if (unanswered[1 - young] == 0 && nowMillis - youngFromMillis >= GENERATION_MILLIS) {
      young = 1 - young;
      youngFromMillis = nowMillis;
      oldToMillis = nowMillis;
      await(LATE_MILLIS);
    }
    unanswered[young]++;
    waits(nowMillis);
    return young;
  }

  /** Notes that one of the requests is answered, or will not be. */
  void answered(int mark) {
    unanswered[mark]--;
    if (mark != young && unanswered[mark] == 0) {
      notLate();
    }
    goesOn();
    if (unanswered[0] + unanswered[1] > 0) {
      waits();
    }
  }

  /** Forgets all open requests. */
  void forget() {
    unanswered[0] = 0;
    unanswered[1] = 0;
    notLate();
    goesOn();
  }

  private void notLate() {
    if (lateFromMillis != NEVER) {
      LOG.info("{}: what was late is there", stage);
      lateFromMillis = NEVER;
    }
  }

  private void await(long millis) {
    if (!awaited) {
      awaited = true;
      shardExecutor.executeLater(millis, this::lookForLate);
    }
  }

  private void lookForLate() {
    awaited = false;
    if (unanswered[1 - young] == 0) {
      return;
    }
    var leftMillis = oldToMillis + LATE_MILLIS - clock.monotonicMillis();
    if (leftMillis > 0) {
      await(leftMillis);
    } else {
      lateFromMillis = oldToMillis;
      LOG.warn("{} waits for something that has not come for {} ms", stage, lateMillis());
    }
  }

  @AnyThread
  private long lateMillis() {
    var from = lateFromMillis;
    return from == NEVER ? 0 : Math.max(0, clock.monotonicMillis() - from);
  }

  /** Notes progress, or that there is nothing to do. */
  void goesOn() {
    if (reported) {
      LOG.info("{} goes on after {} ms", stage, waitedMillis());
    }
    reported = false;
    waitsFromMillis = NEVER;
  }

  /**
   * For how many milliseconds it has had work without progress, or has waited for a late request; 0
   * when it does not stall.
   */
  @AnyThread
  long stoodMillis() {
    var from = waitsFromMillis;
    var stood = from == NEVER ? 0 : Math.max(0, clock.monotonicMillis() - from);
    return Math.max(stood, lateMillis());
  }

  /** A sentence that it stalls, and for how long; empty when it does not. */
  Optional<String> trouble() {
    if (stands()) {
      return Optional.of(stage + " has made no progress for " + waitedMillis() + " ms");
    }
    return lateFromMillis == NEVER
        ? Optional.empty()
        : Optional.of(stage + " waits for something that has not come for " + lateMillis() + " ms");
  }

  private boolean stands() {
    return waitsFromMillis != NEVER && waitedMillis() >= PATIENCE_MILLIS;
  }

  private long waitedMillis() {
    return clock.monotonicMillis() - waitsFromMillis;
  }

  /** Sets one alarm at a time, however often the stage waits. */
  private void arm() {
    if (!armed) {
      armed = true;
      shardExecutor.executeLater(PATIENCE_MILLIS, this::look);
    }
  }

  private void look() {
    armed = false;
    if (waitsFromMillis == NEVER) {
      return;
    }
    if (stands() && !reported) {
      reported = true;
      LOG.warn("{} has made no progress for {} ms, with work to do", stage, waitedMillis());
    }
    if (!reported) {
      arm();
    }
  }
}
