package io.peeklock.runtime;

import io.peeklock.runtime.thread.AnyThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Limits one kind of log line that clients can cause: on average one a second is written, with the
 * number of lines left out before it, and up to a minute's worth at once, so that occasional
 * refusals are all logged. Repeated refusals can neither fill the disk nor take time from other
 * clients.
 */
@AnyThread
public final class RateLimitedLog {
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The lines that are written at once before the rate counts. */
  static final int BURST = 60;

  private final Logger log;
  private final LongSupplier nanos;
  private final AtomicLong nextNanos;
  private final AtomicLong leftOut = new AtomicLong();

  /** A kind of line with its own rate. */
  public RateLimitedLog(Logger log) {
    this(log, System::nanoTime);
  }

  /** For tests, which set the time. */
  RateLimitedLog(Logger log, LongSupplier nanos) {
    this.log = log;
    this.nanos = nanos;
    this.nextNanos = new AtomicLong(nanos.getAsLong());
  }

  /** Writes the line at level info, or counts it. */
  public void info(String format, Object... shown) {
    write(Level.INFO, null, format, shown);
  }

  /** Writes the line at level warn, or counts it. */
  public void warn(String format, Object... shown) {
    write(Level.WARN, null, format, shown);
  }

  /** Writes the line at level error, or counts it. */
  public void error(String format, Object... shown) {
    write(Level.ERROR, null, format, shown);
  }

  /** Writes the line at level error, with the stack trace of the fault, or counts it. */
  public void error(Throwable fault, String format, Object... shown) {
    write(Level.ERROR, fault, format, shown);
  }

  /**
   * Whether a line would be written now. Who asks before each line loses none; certain only where
   * all its lines come from one thread.
   */
  boolean writesNow() {
    return ahead(nextNanos.get(), nanos.getAsLong()) <= (BURST - 1) * PAUSE_NANOS;
  }

  /** How far lines are ahead of their pace; a difference, as the time may wrap. */
  private static long ahead(long next, long now) {
    return Math.max(0, next - now);
  }

  private void write(Level level, @Nullable Throwable fault, String format, Object... shown) {
    long now = nanos.getAsLong();
    long next = nextNanos.get();
    long ahead = ahead(next, now);
    if (ahead > (BURST - 1) * PAUSE_NANOS
        || !nextNanos.compareAndSet(next, now + ahead + PAUSE_NANOS)) {
      leftOut.incrementAndGet();
      return;
    }
    long before = leftOut.getAndSet(0);
    var line = before == 0 ? format : format + " (and " + before + " like it before)";
    log.atLevel(level).setCause(fault).log(line, shown);
  }
}
