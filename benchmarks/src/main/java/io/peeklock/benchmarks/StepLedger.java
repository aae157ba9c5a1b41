package io.peeklock.benchmarks;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.fact.Copies;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.ForwardFact;
import io.peeklock.kernel.grant.Grant;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What steps of each kind took: time of the thread, which leaves out what the collector and other
 * processes take away, and beside it time of the clock.
 */
final class StepLedger {
  /** No step may be longer. */
  private static final long MOST_MICROS = 5_000;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Map<String, Kind> kinds = new LinkedHashMap<>();
  private long cpuBefore;
  private long clockBefore;

  private static final class Kind {
    long[] nanos = new long[64];
    int count;
    long longestByClock;
    long rows;
  }

  void begin() {
    clockBefore = System.nanoTime();
    cpuBefore = THREADS.getCurrentThreadCpuTime();
  }

  void end(String name, long rows) {
    var nanos = THREADS.getCurrentThreadCpuTime() - cpuBefore;
    var clock = System.nanoTime() - clockBefore;
    var kind = kinds.computeIfAbsent(name, ignored -> new Kind());
    if (kind.count == kind.nanos.length) {
      kind.nanos = Arrays.copyOf(kind.nanos, kind.count * 2);
    }
    kind.nanos[kind.count++] = nanos;
    kind.longestByClock = Math.max(kind.longestByClock, clock);
    kind.rows = Math.max(kind.rows, rows);
  }

  /** How many messages, entities or receivers a decision names. */
  static long rows(Decision decision) {
    long rows = 0;
    for (var fact : decision.facts()) {
      rows += rows(fact);
    }
    for (var grant : decision.grants()) {
      rows +=
          switch (grant) {
            case Grant.Locked locked -> locked.lockIds().length;
            case Grant.Unlocked unlocked -> unlocked.lockIds().length;
            case Grant.Extended extended -> extended.lockIds().length;
            default -> 1;
          };
    }
    return Math.max(rows, decision.effects().size());
  }

  private static long rows(Fact fact) {
    return switch (fact) {
      case Fact.Enqueued enqueued -> enqueued.sizes().length;
      case Fact.Scheduled scheduled -> scheduled.sizes().length;
      case Fact.Completed completed -> completed.sequenceNumbers().length;
      case Fact.Consumed consumed -> consumed.sequenceNumbers().length;
      case Fact.Expired expired -> expired.sequenceNumbers().length;
      case Fact.Activated activated -> activated.sequenceNumbers().length;
      case Fact.Cancelled cancelled -> cancelled.sequenceNumbers().length;
      case Fact.Published published -> copies(published.copies(), published.sizes().length);
      case ForwardFact.ForwardPublished moved ->
          copies(moved.copies(), moved.sequenceNumbers().length);
      case ForwardFact.PartPublished part -> copies(part.copies(), 1);
      case EntityFact.Deleted deleted -> deleted.sequenceNumbers().length;
      default -> 1;
    };
  }

  private static long copies(Copies[] all, int messages) {
    long rows = 0;
    for (var copies : all) {
      var own = copies.messages();
      rows += own == null ? messages : own.length;
    }
    return rows;
  }

  /** One line for each kind. */
  String table() {
    var text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "| %-62s | %7s | %7s | %9s | %9s | %9s | %9s |%n",
            "Step",
            "steps",
            "rows",
            "median µs",
            "p99 µs",
            "most µs",
            "by clock"));
    text.append("|---|---|---|---|---|---|---|\n");
    kinds.forEach((name, kind) -> text.append(line(name, kind)));
    return text.toString();
  }

  private static String line(String name, Kind kind) {
    var sorted = Arrays.copyOf(kind.nanos, kind.count);
    Arrays.sort(sorted);
    var most = sorted[sorted.length - 1] / 1_000;
    return String.format(
        Locale.ROOT,
        "| %-62s | %,7d | %,7d | %,9d | %,9d | %,9d | %,9d |%s%n",
        name,
        kind.count,
        kind.rows,
        sorted[sorted.length / 2] / 1_000,
        sorted[(int) ((sorted.length - 1) * 0.99)] / 1_000,
        most,
        kind.longestByClock / 1_000,
        most > MOST_MICROS ? " <-- above" : "");
  }
}
