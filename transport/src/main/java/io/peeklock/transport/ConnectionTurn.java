package io.peeklock.transport;

import io.peeklock.runtime.thread.EventLoopThread;

/**
 * What one connection used of its event loop's time, and how much may be read of it at a time: so
 * few bytes that what they cause keeps the loop for no longer than a time slice, as far as reading
 * can see to that.
 */
@EventLoopThread
final class ConnectionTurn {
  /** At a time, of an unauthenticated one. */
  static final int UNAUTHENTICATED_BYTES = 4 << 10;

  /** At a time, of all others, where they cost little. */
  static final int MOST_BYTES = 256 << 10;

  private static final int FIRST_BYTES = 16 << 10;
  private static final int LEAST_BYTES = 512;

  private final LoopTurns turns;
  private final Runnable wake;
  private LoopTurns.Line line;
  private boolean unauthenticated = true;
  private boolean waiting;
  private int holds;
  private boolean heard;
  private boolean isNew = true;
  private boolean over;
  private int mostBytes = FIRST_BYTES;
  private long leftNanos;
  private long atNanos;
  private long beganNanos;
  private long usedNanos;
  private long lastNanos;
  private long owedNanos;
  private long waitsSinceNanos;
  private long unreadNanos;
  private int reads;

  /**
   * That of an unauthenticated client.
   *
   * @param wake run when it may be read again after it had to wait
   */
  ConnectionTurn(LoopTurns turns, Runnable wake) {
    this.turns = turns;
    this.wake = wake;
    this.line = turns.unauthenticated();
    this.leftNanos = line.sliceNanos();
    this.atNanos = turns.nanoTime();
    this.usedNanos = line.clockNanos() - line.sliceNanos();
    line.enter();
  }

  /** It has logged in. */
  void authenticated() {
    if (unauthenticated && !over) {
      unauthenticated = false;
      line.leave(this);
      line = turns.authenticated();
      line.enter();
      leftNanos = line.sliceNanos();
      isNew = true;
      owedNanos = 0;
      usedNanos = line.clockNanos() - line.sliceNanos(); // each line has a clock of its own
      if (waiting) {
        go();
      }
    }
  }

  /** The connection is gone. */
  void end() {
    if (!over) {
      over = true;
      line.leave(this);
    }
  }

  /** Whether it is not to be read: it stands in line, or is held. */
  boolean isStopped() {
    return waiting || holds > 0;
  }

  /** It is not read, whatever its turn, until it is let go, once for each time. */
  void hold() {
    stop();
    holds++;
  }

  /** Ends one {@link #hold}. */
  void letGo() {
    resume(waiting, holds - 1);
  }

  private void stop() {
    if (!isStopped()) {
      waitsSinceNanos = turns.nanoTime();
    }
  }

  private void resume(boolean stillWaiting, int leftHolds) {
    var unread = unreadNanos();
    waiting = stillWaiting;
    holds = leftHolds;
    if (!isStopped()) {
      unreadNanos = unread;
      wake.run();
    }
  }

  /** How long it stood in line so far or was held, and was not read: no time of its peer's. */
  long unreadNanos() {
    return isStopped() ? unreadNanos + turns.nanoTime() - waitsSinceNanos : unreadNanos;
  }

  /** How much one read may bring. */
  int mostBytes() {
    return unauthenticated ? Math.min(UNAUTHENTICATED_BYTES, mostBytes) : mostBytes;
  }

  /** Something was read, and its handling begins. */
  void read() {
    if (reads == 0) {
      beganNanos = turns.nanoTime();
    }
    reads++;
  }

  /** Whether it may be read once more in this round of the loop. */
  boolean readsOn() {
    return !unauthenticated && !isStopped() && turns.nanoTime() - beganNanos < leftNanos;
  }

  /** All that was read in this round is handled. It waits from now on, or has time left. */
  void handled() {
    if (reads == 0 || over) {
      return;
    }
    var nowNanos = turns.nanoTime();
    lastNanos = nowNanos - beganNanos;
    if (!heard) {
      heard = true;
      turns.newcomerTook(lastNanos);
    }
    fit(lastNanos / reads);
    reads = 0;
    leftNanos =
        Math.min(line.sliceNanos(), leftNanos + line.earned(beganNanos - atNanos)) - lastNanos;
    atNanos = nowNanos;
    if (line.isFree()) {
      // What it used while nobody waited was taken from nobody, and is not owed to who comes later.
      usedNanos = Math.min(usedNanos, line.clockNanos());
    }
    usedNanos += lastNanos;
    if (leftNanos > 0) {
      return;
    }
    if (waiting) {
      line.spent(lastNanos);
      return;
    }
    // One turn ahead of those that wait: who uses less than its part is not held up by them.
    usedNanos = Math.max(usedNanos, line.clockNanos() - line.sliceNanos());
    if (goesOn()) {
      leftNanos = line.sliceNanos();
    } else {
      stop();
      waiting = true;
    }
  }

  private boolean goesOn() {
    if (isNew) {
      isNew = false;
      owedNanos = lastNanos;
      return line.mayGoOnAfterItsFirst(this, lastNanos);
    }
    return line.mayGoOn(this, lastNanos);
  }

  /** Reads become smaller where one takes too long, and larger again where it does not. */
  private void fit(long nanosOfOne) {
    if (nanosOfOne > line.sliceNanos() / 2) {
      mostBytes = Math.max(LEAST_BYTES, mostBytes / 2);
    } else if (nanosOfOne < line.sliceNanos() / 8) {
      mostBytes = Math.min(MOST_BYTES, mostBytes * 2);
    }
  }

  /** It is its turn. */
  void go() {
    leftNanos = line.sliceNanos();
    resume(false, holds);
  }

  long usedNanos() {
    return usedNanos;
  }

  /** What its first turn took, when it is asked for the first time. */
  long takeOwedNanos() {
    var owed = owedNanos;
    owedNanos = 0;
    return owed;
  }

  /** What it took when it was read last. */
  long lastNanos() {
    return lastNanos;
  }
}
