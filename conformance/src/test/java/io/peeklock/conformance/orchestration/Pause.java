package io.peeklock.conformance.orchestration;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A breath between two looks at an empty queue. */
final class Pause {
  private Pause() {}

  static void shortly() {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
  }
}
