package io.peeklock.simulator.world;

import java.io.IOException;

/** Which faults are at work now, by the monotonic clock. */
final class ActiveFaults {
  private final SimTime time;
  private long slowSyncsUntil;
  private long lateReadsUntil;
  private long failingReadsUntil;
  private long fullUntil;
  private boolean failsOneRead;
  private boolean readFailed;

  ActiveFaults(SimTime time) {
    this.time = time;
  }

  void slowSyncs(long millis) {
    slowSyncsUntil = time.monotonicMillis() + millis;
  }

  void lateReads(long millis) {
    lateReadsUntil = time.monotonicMillis() + millis;
  }

  void failReads(long millis) {
    failingReadsUntil = time.monotonicMillis() + millis;
  }

  void failOneRead() {
    failsOneRead = true;
  }

  void fill(long millis) {
    fullUntil = time.monotonicMillis() + millis;
  }

  /** No fault is at work any more. */
  void clear() {
    slowSyncsUntil = 0;
    lateReadsUntil = 0;
    fullUntil = 0;
    clearReads();
  }

  /** Reads work, and none has failed yet: a new process looks at the disk. */
  void clearReads() {
    failingReadsUntil = 0;
    failsOneRead = false;
    readFailed = false;
  }

  /** For how long this thread waits before its next task; 0 for not. */
  long delay(SimThread thread, RandomSource random) {
    var slow =
        switch (thread) {
          case LOG, FILES -> isOn(slowSyncsUntil);
          case READS -> isOn(lateReadsUntil);
          default -> false;
        };
    return slow && !random.oneIn(3) ? random.between(1, 400) : 0;
  }

  boolean isFull() {
    return isOn(fullUntil);
  }

  /** Whether a read failed since this process began, which it may remember for ever. */
  boolean hasFailedReads() {
    return readFailed;
  }

  void read() throws IOException {
    if (failsOneRead || isOn(failingReadsUntil)) {
      failsOneRead = false;
      readFailed = true;
      throw new IOException("simulated: the disk could not be read");
    }
  }

  private boolean isOn(long until) {
    return until > time.monotonicMillis();
  }
}
