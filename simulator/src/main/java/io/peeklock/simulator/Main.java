package io.peeklock.simulator;

import io.peeklock.simulator.history.Auditor;
import io.peeklock.simulator.model.Model;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Plays seeds, several at a time, and says what was found. With {@link Progress} the only class of
 * this module that knows the machine it runs on.
 */
public final class Main {
  private final Arguments arguments;
  private final Supplier<Auditor> auditors;
  private final Progress progress;
  private final AtomicLong taken = new AtomicLong();

  Main(Arguments arguments, Supplier<Auditor> auditors, Progress progress) {
    this.arguments = arguments;
    this.auditors = auditors;
    this.progress = progress;
  }

  /** Ends with 1 when something was found, and with 2 when it was not told what to do. */
  public static void main(String[] words) throws InterruptedException {
    final Arguments arguments;
    try {
      arguments = Arguments.parse(List.of(words), Runtime.getRuntime().availableProcessors());
    } catch (IllegalArgumentException wrong) {
      System.err.println(wrong.getMessage());
      System.exit(2);
      return;
    }
    if (arguments.isHelp()) {
      System.out.print(Arguments.HELP);
      return;
    }
    var progress = new Progress(System.out);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> interrupted(progress)));
    System.exit(new Main(arguments, () -> Auditors.of(arguments.depth()), progress).run() ? 0 : 1);
  }

  /** Ctrl-C is how a run for ever ends. */
  private static void interrupted(Progress progress) {
    if (progress.conclude()) {
      Runtime.getRuntime().halt(progress.hasFailures() ? 1 : 0);
    }
  }

  /** Plays all; returns whether nothing was found. */
  boolean run() throws InterruptedException {
    var threads = new ArrayList<Thread>();
    for (var i = 0; i < Math.min(arguments.threads(), arguments.seeds()); i++) {
      var thread = new Thread(this::playOn, "seeds-" + i);
      threads.add(thread);
      thread.start();
    }
    for (var thread : threads) {
      thread.join();
    }
    progress.conclude();
    return !progress.hasFailures();
  }

  private void playOn() {
    for (var i = taken.getAndIncrement();
        i >= 0 && i < arguments.seeds();
        i = taken.getAndIncrement()) {
      play(arguments.seed() + i);
    }
  }

  private void play(long seed) {
    var steps = Run.steps(seed, arguments.steps());
    var auditor = auditors.get();
    var run = new Run(arguments.depth(), seed, steps, auditor).play();
    progress.played(run, auditor instanceof Model model ? model.coverage() : Map.of());
    var failure = run.failure();
    if (failure != null) {
      tell(seed, steps, run, failure);
    } else if (arguments.seeds() == 1) {
      progress.tell(List.of("seed " + seed + ": trace " + HexFormat.of().toHexDigits(run.hash())));
    }
  }

  private void tell(long seed, List<Long> steps, Run run, Failure failure) {
    var trace = HexFormat.of().toHexDigits(run.hash());
    var where = arguments.depth().option() + "--seed " + seed + " --steps " + steps.size();
    var lines = new ArrayList<String>();
    lines.add("FAILED with " + where + " at step " + failure.step() + ", trace " + trace);
    var isNew = progress.isNew(failure);
    lines.add("  " + (isNew ? stackOf(failure.cause()) : failure.cause().toString()));
    if (isNew) {
      lines.addAll(indented(failure.last()));
    }
    progress.tell(lines);
    if (isNew && arguments.isShrinking()) {
      progress.tell(shortest(seed, steps, failure));
    }
  }

  private List<String> shortest(long seed, List<Long> steps, Failure failure) {
    var upTo = steps.subList(0, Math.min(steps.size(), failure.step() + 1));
    var left = new Shrinker(arguments.depth(), seed, auditors, failure.rule()).shrink(upTo);
    var lines = new ArrayList<String>();
    lines.add("  seed " + seed + " needs only " + left.size() + " of these steps:");
    var again = new Run(arguments.depth(), seed, left, auditors.get()).play().failure();
    if (again != null) {
      lines.addAll(indented(again.last()));
    }
    return lines;
  }

  private static List<String> indented(List<String> lines) {
    return lines.stream().map(line -> "    " + line).toList();
  }

  private static String stackOf(Throwable thrown) {
    var words = new StringWriter();
    thrown.printStackTrace(new PrintWriter(words));
    return words.toString().strip();
  }
}
