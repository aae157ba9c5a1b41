package io.peeklock.simulator;

import java.util.HexFormat;
import java.util.function.LongFunction;

/**
 * Plays seeds for somebody of another class loader, to whom it speaks in words of the JDK alone.
 * The answer is the trace's hash; and, when something is found, three more lines: at which step,
 * what kind of find it is, and what was said.
 */
public final class SeedPlayer implements LongFunction<String> {
  private final int steps;

  /** Of so many steps for each seed. */
  public SeedPlayer(int steps) {
    this.steps = steps;
  }

  @Override
  public String apply(long seed) {
    var run = new Run(Depth.SHARD, seed, Run.steps(seed, steps), Auditors.of(Depth.SHARD)).play();
    var failure = run.failure();
    var hash = HexFormat.of().toHexDigits(run.hash());
    return failure == null
        ? hash
        : hash + "\n" + failure.step() + "\n" + kindOf(failure.cause()) + "\n" + failure.cause();
  }

  private static String kindOf(Throwable thrown) {
    var root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return thrown.getClass().getSimpleName() + " by " + root.getClass().getSimpleName();
  }
}
