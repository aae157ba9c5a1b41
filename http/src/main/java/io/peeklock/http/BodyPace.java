package io.peeklock.http;

import java.util.concurrent.TimeUnit;

/**
 * Whether a body comes fast enough. It has some time to begin with and earns more with every byte,
 * however large it is; nobody earns more than one silence, and time in which the broker itself does
 * not read costs nothing.
 */
final class BodyPace {
  private final long bytesPerSecond;
  private final long mostNanos;
  private long leftNanos;
  private long atNanos;
  private boolean paused;

  BodyPace(HttpLimits limits, long nowNanos) {
    this.bytesPerSecond = limits.bodyBytesPerSecond();
    this.leftNanos = TimeUnit.MILLISECONDS.toNanos(limits.headMillis());
    this.mostNanos = Math.max(leftNanos, TimeUnit.MILLISECONDS.toNanos(limits.idleMillis()));
    this.atNanos = nowNanos;
  }

  void came(int bytes) {
    var earned = bytes * TimeUnit.SECONDS.toNanos(1) / bytesPerSecond;
    leftNanos = Math.min(mostNanos, leftNanos + earned);
  }

  /** The broker stops reading, or goes on. */
  void pause(boolean isPaused, long nowNanos) {
    pass(nowNanos);
    paused = isPaused;
  }

  boolean isTooSlow(long nowNanos) {
    pass(nowNanos);
    return leftNanos < 0;
  }

  private void pass(long nowNanos) {
    if (!paused) {
      leftNanos -= nowNanos - atNanos;
    }
    atNanos = nowNanos;
  }
}
