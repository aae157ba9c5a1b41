package io.peeklock.store;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Shows the progress of long work: in place on a terminal, otherwise as occasional lines. The
 * launcher says which.
 */
final class Progress {
  private static final long REDRAW_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long MIB = 1 << 20;

  private final PrintWriter out;
  private final boolean terminal;
  private final String work;
  private final long total;
  private long seen;
  private long saidNanos;
  private boolean onLine;

  private Progress(PrintWriter out, boolean terminal, String work, long total) {
    this.out = out;
    this.terminal = terminal;
    this.work = work;
    this.total = total;
    this.saidNanos = System.nanoTime();
  }

  static Progress of(PrintWriter out, String work, long total) {
    return new Progress(out, Boolean.getBoolean("peeklock.terminal"), work, total);
  }

  /** Counts processed bytes. */
  void add(long bytes) {
    seen += bytes;
    var now = System.nanoTime();
    if (now - saidNanos >= (terminal ? REDRAW_NANOS : LINE_NANOS)) {
      saidNanos = now;
      say();
    }
  }

  private void say() {
    var line =
        String.format(
            Locale.ROOT,
            "%s: %d of %d MiB (%d %%)",
            work,
            seen / MIB,
            (total + MIB - 1) / MIB,
            total == 0 ? 100 : Math.min(100, 100 * seen / total));
    if (terminal) {
      out.print("\r" + line + " ");
      onLine = true;
    } else {
      out.println(line);
    }
    out.flush();
  }

  /** Clears the terminal's line. */
  void end() {
    if (onLine) {
      out.print("\r" + " ".repeat(78) + "\r");
      out.flush();
      onLine = false;
    }
  }
}
