package io.peeklock.runtime;

/** Has a step made when time has something to do. Only the earliest alarm counts. The home's. */
final class StepAlarm {
  private final Home home;
  private final Runnable wantStep;
  private long atMonotonicMillis = Long.MAX_VALUE;

  StepAlarm(Home home, Runnable wantStep) {
    this.home = home;
    this.wantStep = wantStep;
  }

  /**
   * Asks for a step, unless one is asked for that comes as early.
   *
   * @param nowMonotonicMillis the time from which
   * @param waitMillis to wait
   */
  void arm(long nowMonotonicMillis, long waitMillis) {
    var at = nowMonotonicMillis + waitMillis;
    if (at < atMonotonicMillis) {
      atMonotonicMillis = at;
      home.executeLater(waitMillis, () -> ring(at));
    }
  }

  private void ring(long at) {
    if (atMonotonicMillis == at) {
      atMonotonicMillis = Long.MAX_VALUE;
    }
    wantStep.run();
  }
}
