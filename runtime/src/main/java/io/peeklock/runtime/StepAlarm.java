package io.peeklock.runtime;

import io.peeklock.runtime.thread.ShardThread;

/** Asks for a step when timed work is due. Only the earliest alarm counts. */
@ShardThread
final class StepAlarm {
  /** How long timed work waits for bodies of due messages, or for the log. */
  private static final long PAUSE_MILLIS = 5;

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
   * @param pauses whether due work waits for bodies that are being read, or for the log
   */
  void arm(long nowMonotonicMillis, long waitMillis, boolean pauses) {
    if (waitMillis != Long.MAX_VALUE) {
      arm(nowMonotonicMillis, pauses ? Math.max(waitMillis, PAUSE_MILLIS) : waitMillis);
    }
  }

  private void arm(long nowMonotonicMillis, long waitMillis) {
    var at = nowMonotonicMillis + waitMillis;
    if (at < atMonotonicMillis) {
      atMonotonicMillis = at;
      shardExecutor.executeLater(waitMillis, () -> ring(at));
    }
  }

  /** Forgets what was asked for, because the clock was moved: the next drain asks anew. */
  void forget() {
    atMonotonicMillis = Long.MAX_VALUE;
  }

  private void ring(long at) {
    if (atMonotonicMillis == at) {
      atMonotonicMillis = Long.MAX_VALUE;
    }
    wantStep.run();
  }
}
