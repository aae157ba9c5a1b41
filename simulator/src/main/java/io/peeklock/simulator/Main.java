package io.peeklock.simulator;

import io.peeklock.simulator.history.Auditor;
import io.peeklock.simulator.model.Model;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Runs seeds, and says what was found. The only class of this module that looks at the clock of the
 * machine, for its figures.
 */
public final class Main {
  private static final long SECOND_NANOS = 1_000_000_000;
  private static final long PROGRESS_NANOS = 5 * SECOND_NANOS;

  private final Arguments arguments;
  private final Supplier<Auditor> auditors;
  private final PrintStream out;
  private final Coverage coverage = new Coverage();
  private final long began = System.nanoTime();
  private long told = began;
  private long failures;

  Main(Arguments arguments, Supplier<Auditor> auditors, PrintStream out) {
    this.arguments = arguments;
    this.auditors = auditors;
    this.out = out;
  }

  /**
   * What is to be run.
   *
   * @param depth of its clients
   * @param seed the first
   * @param seeds how many
   * @param steps of each
   */
  record Arguments(Depth depth, long seed, long seeds, int steps, boolean isShrinking) {
    private static final String USAGE =
        "usage: [--frames] [--seed N] [--seeds M | --forever] [--steps K] [--no-shrink]";

    /**
     * Reads them.
     *
     * @throws IllegalArgumentException with the usage for what is none
     */
    static Arguments parse(List<String> words) {
      var seed = 1L;
      var seeds = words.contains("--seed") ? 1L : 100L;
      var steps = 2_000;
      var isShrinking = true;
      var depth = Depth.SHARD;
      for (var at = 0; at < words.size(); at++) {
        switch (words.get(at)) {
          case "--seed" -> seed = number(words, ++at);
          case "--seeds" -> seeds = number(words, ++at);
          case "--steps" -> steps = Math.toIntExact(number(words, ++at));
          case "--frames" -> depth = Depth.FRAMES;
          case "--forever" -> seeds = Long.MAX_VALUE;
          case "--no-shrink" -> isShrinking = false;
          default -> throw new IllegalArgumentException(USAGE);
        }
      }
      return new Arguments(depth, seed, seeds, steps, isShrinking);
    }

    private static long number(List<String> words, int at) {
      if (at >= words.size()) {
        throw new IllegalArgumentException(USAGE);
      }
      return Long.parseLong(words.get(at));
    }
  }

  /** Ends with 1 when something was found, and with 2 when it was not told what to do. */
  public static void main(String[] words) {
    final Arguments arguments;
    try {
      arguments = Arguments.parse(List.of(words));
    } catch (IllegalArgumentException wrong) {
      System.err.println(wrong.getMessage());
      System.exit(2);
      return;
    }
    System.exit(
        new Main(arguments, () -> Auditors.of(arguments.depth()), System.out).run() ? 0 : 1);
  }

  /** Whether nothing was found. */
  boolean run() {
    for (var i = 0L; i < arguments.seeds(); i++) {
      var seed = arguments.seed() + i;
      var steps = Run.steps(seed, arguments.steps());
      var auditor = auditors.get();
      var run = new Run(arguments.depth(), seed, steps, auditor).play();
      coverage.add(run.coverage());
      if (auditor instanceof Model model) {
        coverage.add(model.coverage());
      }
      var failure = run.failure();
      if (failure != null) {
        failures++;
        tell(seed, steps, failure);
      }
      if (arguments.seeds() == 1) {
        say("seed %d: trace %016x", seed, run.hash());
      }
      progress(i + 1);
    }
    conclude();
    return failures == 0;
  }

  private void tell(long seed, List<Long> steps, Failure failure) {
    say("FAILED with --seed %d at step %d: %s", seed, failure.step(), failure.rule());
    failure.last().forEach(event -> say("    %s", event));
    failure.cause().printStackTrace(out);
    if (arguments.isShrinking()) {
      var upTo = steps.subList(0, Math.min(steps.size(), failure.step() + 1));
      var left = new Shrinker(arguments.depth(), seed, auditors, failure.rule()).shrink(upTo);
      say("  the same in %d steps: seed %d, %s", left.size(), seed, left);
      var shortest = new Run(arguments.depth(), seed, left, auditors.get()).play().failure();
      if (shortest != null) {
        shortest.last().forEach(event -> say("    %s", event));
      }
    }
  }

  private void progress(long seeds) {
    var now = System.nanoTime();
    if (now - told > PROGRESS_NANOS) {
      told = now;
      say("%s", figures(seeds, now));
    }
  }

  private String figures(long seeds, long now) {
    var seconds = Math.max(1e-9, (now - began) / (double) SECOND_NANOS);
    return String.format(
        Locale.ROOT,
        "%d seeds, %d operations, %.0f operations/s, %d failures",
        seeds,
        coverage.operations(),
        coverage.operations() / seconds,
        failures);
  }

  private void conclude() {
    coverage.counts().forEach((what, times) -> say("%10d  %s", times, what));
    say("%s", figures(arguments.seeds(), System.nanoTime()));
  }

  @SuppressWarnings("AnnotateFormatMethod") // every format is a literal of this class
  private void say(String format, Object... what) {
    out.println(String.format(Locale.ROOT, format, what));
  }
}
