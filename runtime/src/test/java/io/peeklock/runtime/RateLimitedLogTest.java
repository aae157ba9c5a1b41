package io.peeklock.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.AbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** A line that clients can cause is written once a second, with a count. */
class RateLimitedLogTest {
  private final Lines lines = new Lines();
  private long nowNanos = Long.MAX_VALUE - 10; // time may wrap
  private final RateLimitedLog log = new RateLimitedLog(lines, () -> nowNanos);

  @Test
  void aFloodLeavesOneLineASecondAndTheNextOneTellsHowManyWereLeftOut() {
    for (var i = 0; i < 1_000; i++) {
      log.info("refused {}", i);
    }
    nowNanos += 999_999_999;
    log.info("refused {}", "still");
    assertThat(lines.written).hasSize(RateLimitedLog.BURST).endsWith("INFO refused 59");

    nowNanos += 1;
    log.warn("refused {}", "again");
    log.warn("refused {}", "and again");

    assertThat(lines.written)
        .hasSize(RateLimitedLog.BURST + 1)
        .endsWith("WARN refused again (and 941 like it before)");
  }

  @Test
  void overAMinuteOfFloodOneASecondIsWritten() {
    for (var i = 0; i < 60_000; i++) {
      log.info("refused");
      nowNanos += 1_000_000;
    }

    assertThat(lines.written).hasSizeBetween(RateLimitedLog.BURST + 59, RateLimitedLog.BURST + 60);
  }

  @Test
  void whoIsRefusedNowAndThenLeavesALineEachTime() {
    log.info("one");
    nowNanos += 1_000_000_000;

    log.info("two");

    assertThat(lines.written).containsExactly("INFO one", "INFO two");
  }

  @Test
  void aFaultIsWrittenWithItsCauseAtTheSamePace() {
    var fault = new IllegalStateException("broken");
    for (var i = 0; i < RateLimitedLog.BURST; i++) {
      log.error(fault, "failed {}", i);
    }
    log.error(fault, "failed once more");
    log.error("failed without a cause");
    assertThat(lines.written).hasSize(RateLimitedLog.BURST).endsWith("ERROR failed 59");
    assertThat(lines.causes).hasSize(RateLimitedLog.BURST).containsOnly(fault);

    nowNanos += 1_000_000_000;
    log.error("failed again");

    assertThat(lines.written).endsWith("ERROR failed again (and 2 like it before)");
    assertThat(lines.causes).hasSize(RateLimitedLog.BURST);
  }

  @Test
  void whoAsksFirstLosesNoLine() {
    var asked = 0;
    for (; log.writesNow(); asked++) {
      log.warn("slow {}", asked);
    }
    assertThat(asked).isEqualTo(RateLimitedLog.BURST);
    assertThat(lines.written).hasSize(RateLimitedLog.BURST);

    nowNanos += 999_999_999;
    assertThat(log.writesNow()).isFalse();
    nowNanos += 1;
    assertThat(log.writesNow()).isTrue();
    log.warn("slow at last");

    assertThat(lines.written).hasSize(RateLimitedLog.BURST + 1).endsWith("WARN slow at last");
  }

  /** A logger that keeps what was written. */
  static final class Lines extends AbstractLogger {
    private static final long serialVersionUID = 1;
    final transient List<String> written = new ArrayList<>();
    final transient List<Throwable> causes = new ArrayList<>();

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
      return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
        Level level,
        @Nullable Marker marker,
        String format,
        Object @Nullable [] shown,
        @Nullable Throwable cause) {
      written.add(level + " " + MessageFormatter.basicArrayFormat(format, shown));
      if (cause != null) {
        causes.add(cause);
      }
    }

    @Override
    public boolean isTraceEnabled() {
      return true;
    }

    @Override
    public boolean isTraceEnabled(Marker marker) {
      return true;
    }

    @Override
    public boolean isDebugEnabled() {
      return true;
    }

    @Override
    public boolean isDebugEnabled(Marker marker) {
      return true;
    }

    @Override
    public boolean isInfoEnabled() {
      return true;
    }

    @Override
    public boolean isInfoEnabled(Marker marker) {
      return true;
    }

    @Override
    public boolean isWarnEnabled() {
      return true;
    }

    @Override
    public boolean isWarnEnabled(Marker marker) {
      return true;
    }

    @Override
    public boolean isErrorEnabled() {
      return true;
    }

    @Override
    public boolean isErrorEnabled(Marker marker) {
      return true;
    }
  }
}
