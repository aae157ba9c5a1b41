package io.peeklock.runtime;

import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.runtime.thread.ShardThread;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices when a stage of the shard has work to do and makes no progress, whatever the reason: what
 * it waits for does not come, or it goes round. It is logged once, and once more when it goes on.
 *
 * <p>Of several requests that it waits for, one may never be answered while the others are. So they
 * are counted in two generations: the older one is closed, and when any of it is still there {@link
 * #LATE_MILLIS} later, that one is late. It costs two counts and no object for each.
 */
@ShardThread
final class StageWatch {
  private static final Logger LOG = LoggerFactory.getLogger(StageWatch.class);

  /** A stage that waits longer stands still. */
  private static final long PATIENCE_MILLIS = 1_000;

  /** A request that is not answered after so long is lost; a disk that is only slow is faster. */
  private static final long LATE_MILLIS = 30_000;

  /** How long a generation takes requests, at least. */
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
   * @param stage as operators are told of it, the beginning of a sentence
   */
  StageWatch(String stage, ShardExecutor shardExecutor, ShardClock clock) {
    this.stage = stage;
    this.shardExecutor = shardExecutor;
    this.clock = clock;
  }

  /** The stage has work to do, and waits for something first. */
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
   * The stage has asked for something that it waits for, beside others.
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

  /** One of what was asked for is there, or will not come. */
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

  /** Nobody waits for any of it any more. */
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

  /** The stage made progress, or has nothing to do. */
  void goesOn() {
    if (reported) {
      LOG.info("{} goes on after {} ms", stage, waitedMillis());
    }
    reported = false;
    waitsFromMillis = NEVER;
  }

  /**
   * For how long it has had work to do and made no progress, or waited for one of its requests that
   * is late; 0 when it goes on.
   */
  @AnyThread
  long stoodMillis() {
    var from = waitsFromMillis;
    var stood = from == NEVER ? 0 : Math.max(0, clock.monotonicMillis() - from);
    return Math.max(stood, lateMillis());
  }

  /** That it stands still, or waits for one thing, and for how long; empty when it does not. */
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

  /** One alarm at a time, however often it waits. */
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
