package io.peeklock.runtime;

import io.peeklock.runtime.thread.ShardThread;

/** Asks for a step when timed work is due. Only the earliest alarm counts. */
@ShardThread
final class StepAlarm {
  /** How long timed work waits while bodies of due messages are read. */
  private static final long READING_MILLIS = 5;

  private final ShardExecutor shardExecutor;
  private final Runnable wantStep;
  private long atMonotonicMillis = Long.MAX_VALUE;

  StepAlarm(ShardExecutor shardExecutor, Runnable wantStep) {
    this.shardExecutor = shardExecutor;
    this.wantStep = wantStep;
  }

  /**
   * Asks for a step, unless an earlier or equal one is asked for already.
   *
   * @param nowMonotonicMillis the time from which
   * @param waitMillis how long to wait; {@link Long#MAX_VALUE} for no timed work
   * @param reading whether due work waits for bodies that are being read
   */
  void arm(long nowMonotonicMillis, long waitMillis, boolean reading) {
    if (waitMillis != Long.MAX_VALUE) {
      arm(nowMonotonicMillis, reading ? Math.max(waitMillis, READING_MILLIS) : waitMillis);
    }
  }

  private void arm(long nowMonotonicMillis, long waitMillis) {
    var at = nowMonotonicMillis + waitMillis;
    if (at < atMonotonicMillis) {
      atMonotonicMillis = at;
      shardExecutor.executeLater(waitMillis, () -> ring(at));
    }
  }

  private void ring(long at) {
    if (atMonotonicMillis == at) {
      atMonotonicMillis = Long.MAX_VALUE;
    }
    wantStep.run();
  }
}
