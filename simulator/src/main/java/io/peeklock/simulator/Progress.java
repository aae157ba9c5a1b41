package io.peeklock.simulator;

import java.io.PrintStream;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What was played so far, and what came of it: told now and then, and at the end. Any thread may
 * tell it of a run.
 */
final class Progress {
  private static final long SECOND_NANOS = 1_000_000_000;
  private static final long PAUSE_NANOS = 5 * SECOND_NANOS;

  private final PrintStream out;
  private final Coverage coverage = new Coverage();
  private final Set<String> rules = new HashSet<>();
  private final long began = System.nanoTime();
  private long told = began;
  private long seeds;
  private long failures;
  private boolean isOver;

  /** Tells it there. */
  Progress(PrintStream out) {
    this.out = out;
  }

  /**
   * One seed was played.
   *
   * @param judged how often which statement was
   */
  synchronized void played(Run run, Map<String, Long> judged) {
    coverage.add(run.coverage());
    coverage.add(judged);
    seeds++;
    failures += run.failure() == null ? 0 : 1;
    var now = System.nanoTime();
    if (now - told > PAUSE_NANOS) {
      told = now;
      say(figures(now));
    }
  }

  /** Whether this is the first find of its rule, which alone is worth a longer look. */
  synchronized boolean isNew(Failure failure) {
    return rules.add(failure.rule());
  }

  /** Tells lines together; nothing after the end. */
  synchronized void tell(List<String> lines) {
    if (!isOver) {
      lines.forEach(this::say);
    }
  }

  /** Whether anything was found. */
  synchronized boolean hasFailures() {
    return failures > 0;
  }

  /** Tells all of it, once; returns whether it was not told before. */
  synchronized boolean conclude() {
    if (isOver) {
      return false;
    }
    coverage.counts().forEach((what, times) -> say(format("%10d  %s", times, what)));
    say(figures(System.nanoTime()));
    isOver = true;
    return true;
  }

  private String figures(long now) {
    var seconds = Math.max(1e-9, (now - began) / (double) SECOND_NANOS);
    return format(
        "%d seeds, %d operations in %.0f s, %.0f operations/s, %d failed",
        seeds, coverage.operations(), seconds, coverage.operations() / seconds, failures);
  }

  @SuppressWarnings("AnnotateFormatMethod") // every format is a literal of this class
  private static String format(String format, Object... what) {
    return String.format(Locale.ROOT, format, what);
  }

  private void say(String line) {
    out.println(line);
    out.flush();
  }
}
