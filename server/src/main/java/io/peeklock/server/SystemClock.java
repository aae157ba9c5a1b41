package io.peeklock.server;

import io.peeklock.runtime.ShardClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The clocks of this machine. */
final class SystemClock implements ShardClock {
  private static final long UNKNOWN = -1;

  private final Path uptime;
  private final long startUptimeMillis;
  private final long startNanos = System.nanoTime();

  SystemClock() {
    this(Path.of("/proc/uptime"));
  }

  /**
   * The clocks of a machine that tells its uptime in a file.
   *
   * @param uptime as Linux has it: seconds since its start, sleep included; where there is no such
   *     file, it is not known whether the machine slept
   */
  SystemClock(Path uptime) {
    this.uptime = uptime;
    this.startUptimeMillis = uptimeMillis();
  }

  @Override
  public long wallMillis() {
    return System.currentTimeMillis();
  }

  @Override
  public long monotonicMillis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
  }

  @Override
  public long workNanos() {
    return System.nanoTime();
  }

  /** Reads a file: not for each drain. */
  @Override
  public long sleptMillis() {
    var now = uptimeMillis();
    return now == UNKNOWN || startUptimeMillis == UNKNOWN
        ? 0
        : Math.max(0, now - startUptimeMillis - monotonicMillis());
  }

  private long uptimeMillis() {
    try {
      var text = Files.readString(uptime);
      return (long) (1_000 * Double.parseDouble(text.substring(0, text.indexOf(' '))));
    } catch (IOException | RuntimeException unknown) {
      return UNKNOWN;
    }
  }
}
