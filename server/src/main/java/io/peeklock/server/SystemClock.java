package io.peeklock.server;

import io.peeklock.runtime.ShardClock;
import java.util.concurrent.TimeUnit;

/** The clocks of this machine. */
final class SystemClock implements ShardClock {
  private final long startNanos = System.nanoTime();

  @Override
  public long wallMillis() {
    return System.currentTimeMillis();
  }

  @Override
  public long monotonicMillis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
  }
}
