package io.peeklock.conformance.crowd;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

/**
 * How long round trips take, from when they were due: each member has one due every 25
 * milliseconds, so that a broker that stands still is late for all that were due meanwhile, not for
 * one.
 *
 * @param sortedNanos of each, the shortest first
 */
record Stopwatch(List<Long> sortedNanos) {
  private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(25);

  /** Lets the members do round trips side by side for so long. */
  static Stopwatch measure(List<RawMember> members, long nanos) throws Exception {
    var all = new ArrayList<Long>();
    try (var threads = Executors.newFixedThreadPool(members.size())) {
      var running = new ArrayList<Future<List<Long>>>();
      for (var member : members) {
        running.add(threads.submit(() -> roundTrips(member, nanos)));
      }
      for (var one : running) {
        all.addAll(one.get());
      }
    } catch (ExecutionException failed) {
      throw new AssertionError("a fast client was disturbed", failed.getCause());
    }
    return new Stopwatch(all.stream().sorted().toList());
  }

  private static List<Long> roundTrips(RawMember member, long nanos) throws IOException {
    var took = new ArrayList<Long>();
    var began = System.nanoTime();
    for (var due = began; due < began + nanos; due += INTERVAL_NANOS) {
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      member.roundTrip(Integer.toString(took.size()));
      took.add(System.nanoTime() - due);
    }
    return took;
  }

  /** Both as one. */
  Stopwatch and(Stopwatch more) {
    return new Stopwatch(
        LongStream.concat(
                sortedNanos.stream().mapToLong(Long::longValue),
                more.sortedNanos.stream().mapToLong(Long::longValue))
            .sorted()
            .boxed()
            .toList());
  }

  int count() {
    return sortedNanos.size();
  }

  double percentileMillis(double percent) {
    return sortedNanos.get((int) Math.ceil(sortedNanos.size() * percent / 100) - 1) / 1e6;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%d round trips, p50 %.2f ms, p99 %.2f ms, longest %.2f ms",
        count(),
        percentileMillis(50),
        percentileMillis(99),
        percentileMillis(100));
  }
}
