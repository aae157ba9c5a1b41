package io.peeklock.simulator.world;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which faults are at work now, by the monotonic clock. */
final class ActiveFaults {
  private static final String SIMULATED = "simulated: ";
  private static final String LOG_FILE = ".log";

  private final SimTime time;
  private long slowSyncsUntil;
  private long lateReadsUntil;
  private long earlyReadsUntil;
  private long failingReadsUntil;
  private long fullUntil;
  private boolean failsOneRead;
  private boolean readFailed;
  private boolean logSyncFailed;
  private boolean wasFull;
  private final Set<Call> failing = EnumSet.noneOf(Call.class);

  /** Calls of the disk that can fail once. */
  enum Call {
    SYNC,
    WRITE,
    CREATE
  }

  ActiveFaults(SimTime time) {
    this.time = time;
  }

  void slowSyncs(long millis) {
    slowSyncsUntil = time.monotonicMillis() + millis;
  }

  void lateReads(long millis) {
    lateReadsUntil = time.monotonicMillis() + millis;
  }

  void earlyReads(long millis) {
    earlyReadsUntil = time.monotonicMillis() + millis;
  }

  /** Whether who reads goes before everybody else. */
  boolean readsEarly() {
    return isOn(earlyReadsUntil);
  }

  void failReads(long millis) {
    failingReadsUntil = time.monotonicMillis() + millis;
  }

  /** The next such call fails. */
  void failOnce(Call call) {
    failing.add(call);
  }

  void failOneRead() {
    failsOneRead = true;
  }

  void fill(long millis) {
    fullUntil = time.monotonicMillis() + millis;
    wasFull = true;
  }

  /** No fault is at work any more. */
  void clear() {
    slowSyncsUntil = 0;
    lateReadsUntil = 0;
    earlyReadsUntil = 0;
    fullUntil = 0;
    failing.clear();
    logSyncFailed = false;
    clearReads();
  }

  /** The same, and a new process knows of none. */
  void forget() {
    clear();
    wasFull = false;
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

  /** Whether it has been full since this process began, which may only learn of it now. */
  boolean wasFull() {
    return wasFull;
  }

  /** Whether a read failed since this process began, which it may remember for ever. */
  boolean hasFailedReads() {
    return readFailed;
  }

  /** Whether a sync of the log failed, after which its process may not go on. */
  boolean hasFailedLogSync() {
    return logSyncFailed;
  }

  /** Fails if the next such call is to. */
  void call(Call call, String name) throws IOException {
    if (failing.remove(call)) {
      logSyncFailed |= call == Call.SYNC && name.endsWith(LOG_FILE);
      throw new IOException(SIMULATED + call + " of " + name + " failed");
    }
  }

  /** Whether something was thrown because the simulated disk refused a call. */
  static boolean explains(Throwable thrown) {
    for (@Nullable Throwable at = thrown; at != null; at = at.getCause()) {
      if (String.valueOf(at.getMessage()).contains(SIMULATED)) {
        return true;
      }
    }
    return false;
  }

  void read() throws IOException {
    if (failsOneRead || isOn(failingReadsUntil)) {
      failsOneRead = false;
      readFailed = true;
      throw new IOException(SIMULATED + "the disk could not be read");
    }
  }

  private boolean isOn(long until) {
    return until > time.monotonicMillis();
  }
}
