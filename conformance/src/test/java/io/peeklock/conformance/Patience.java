package io.peeklock.conformance;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting for the real world, which has no clock that a test could turn. */
public final class Patience {
  private Patience() {}

  /** Looks again and again until it is so; fails after a while. */
  public static void until(String what, BooleanSupplier isSo) {
    until(what, Duration.ofSeconds(60), isSo);
  }

  /** The same with a limit of one's own. */
  public static void until(String what, Duration limit, BooleanSupplier isSo) {
    var deadline = System.nanoTime() + limit.toNanos();
    while (!isSo.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("after " + limit.toSeconds() + " s still not: " + what);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }
}
