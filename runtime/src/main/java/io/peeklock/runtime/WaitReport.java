package io.peeklock.runtime;

import io.peeklock.kernel.grant.HeldUp;
import io.peeklock.kernel.grant.WaitReason;
import io.peeklock.runtime.meter.WaitMeter;
import io.peeklock.runtime.thread.ShardThread;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What operators are told of one queue that is held up. It ends at the second look in a row that
 * finds nothing waiting, not with the first message that moves: a full destination that is drained
 * slowly lets one go now and then.
 */
@ShardThread
final class WaitReport {
  private static final int LOOKS_WITHOUT_WAIT = 2;

  private final WaitMeter meter;
  private final long sinceMillis;
  private final Set<WaitReason> logged = EnumSet.noneOf(WaitReason.class);
  private HeldUp held;
  private @Nullable WaitReason counted;
  private long seenMillis;
  private int looksWithoutWait;

  /** Begins with the queue held up; {@link #holdUp} is to be called next. */
  WaitReport(HeldUp held, WaitMeter meter) {
    this.held = held;
    this.meter = meter;
    this.sinceMillis = held.delay().sinceMillis();
  }

  /** It has waited for long, for this reason. */
  void holdUp(HeldUp now, long nowMillis) {
    held = now;
    count(now.delay().reason());
    seenMillis = nowMillis;
    looksWithoutWait = 0;
  }

  /** It waits, but something moved a moment ago. */
  void waitsAnew() {
    looksWithoutWait = 0;
  }

  /** A look finds nothing waiting. */
  void waitsNot() {
    looksWithoutWait++;
    if (looksWithoutWait == LOOKS_WITHOUT_WAIT) {
      end();
    }
  }

  /** Counts it no more. */
  void end() {
    count(null);
  }

  private void count(@Nullable WaitReason reason) {
    if (counted != null) {
      meter.add(counted, -1);
    }
    if (reason != null) {
      meter.add(reason, 1);
    }
    counted = reason;
  }

  boolean isOver() {
    return counted == null;
  }

  /** What is held up, as it was when it had waited for long. */
  HeldUp held() {
    return held;
  }

  /** How long nothing had moved then, in milliseconds. */
  long waitedMillis() {
    return seenMillis - held.delay().sinceMillis();
  }

  /** The time from the first wait to the last that was seen, in milliseconds. */
  long lastedMillis() {
    return seenMillis - sinceMillis;
  }

  /** Whether the log has a line for what holds it up now. */
  boolean isLogged() {
    return logged.contains(held.delay().reason());
  }

  /** Whether the log has any line of it, so that its end belongs there too. */
  boolean isInLog() {
    return !logged.isEmpty();
  }

  void noteLogged() {
    logged.add(held.delay().reason());
  }
}
