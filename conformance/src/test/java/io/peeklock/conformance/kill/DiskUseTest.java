package io.peeklock.conformance.kill;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** {@code -Ddisk.messages=200000 -Ddisk.kills=20} for the long form. */
@Isolated
@LongProof
class DiskUseTest {

  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  @Rule({"I-01", "I-04", "I-05"})
  void theFolderTakesAtMostTwoTimesWhatLivesInItAndTwoSegments() throws IOException {
    var messages = Long.getLong("disk.messages", 6_000);
    var kills = Integer.getInteger("disk.kills", 2);

    var figures = DiskUse.run(messages, kills);

    assertThat(figures.verdict().violations()).isEmpty();
    assertThat(figures.worstAtRest()).isLessThanOrEqualTo(2.0);
    // Checkpoints take their time, and the log grows meanwhile.
    assertThat(figures.worst()).isLessThanOrEqualTo(3.0);
    // What went through is much more than what may lie there.
    assertThat(figures.sent() * 4_000).isGreaterThan(2 * figures.peakUse());
  }
}
