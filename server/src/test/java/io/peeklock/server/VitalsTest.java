package io.peeklock.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.runtime.meter.LogMeter;
import org.junit.jupiter.api.Test;

/** What a probe is told of a log that cannot do what it does for itself. */
class VitalsTest {
  private final LogMeter log = new LogMeter();

  @Test
  void oneCheckpointThatFailedIsAWarningAndFourInARowAreTrouble() {
    assertThat(Vitals.logTroubles(log, 1)).isEmpty();
    for (var failures = 1; failures < 4; failures++) {
      log.checkpointEnded(false);
      assertThat(Vitals.logTroubles(log, 1))
          .hasValueSatisfying(
              said -> assertThat(said).startsWith("no checkpoint could be written, "));
      assertThat(Vitals.logTroubles(log, Vitals.MANY_FAILURES)).isEmpty();
    }
    log.checkpointEnded(false);
    assertThat(Vitals.logTroubles(log, Vitals.MANY_FAILURES))
        .hasValueSatisfying(said -> assertThat(said).contains(", 4 in a row, so that starts take"));

    log.checkpointEnded(true);

    assertThat(Vitals.logTroubles(log, 1)).isEmpty();
    assertThat(log.failedCheckpoints()).isEqualTo(4);
    assertThat(log.checkpoints()).isEqualTo(1);
  }

  @Test
  void theSameIsToldOfCompaction() {
    for (var failures = 0; failures < 4; failures++) {
      log.compactionEnded(false);
    }
    assertThat(Vitals.logTroubles(log, Vitals.MANY_FAILURES))
        .hasValueSatisfying(
            said ->
                assertThat(said).startsWith("the log could not be compacted, 4 times in a row"));

    log.nothingToCompact();

    assertThat(Vitals.logTroubles(log, 1)).isEmpty();
    log.compactionEnded(false);
    log.compactionEnded(true);
    assertThat(Vitals.logTroubles(log, 1)).isEmpty();
  }
}
