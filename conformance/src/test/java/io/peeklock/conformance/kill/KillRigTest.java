package io.peeklock.conformance.kill;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** {@code -Dkills=500} for the long form, {@code -Dkills.seed=…} to repeat the clients' choices. */
@Isolated
@LongProof
class KillRigTest {

  @Test
  @Timeout(value = 2, unit = TimeUnit.HOURS)
  @Rule({
    "I-01", "I-02", "I-03", "I-04", "I-05", "I-06", "I-07", "I-12", "I-13", "I-16", "I-18", "I-20",
    "I-24", "I-25", "I-27", "I-28", "I-31", "I-33", "I-35", "I-36", "S-001", "S-116"
  })
  void nothingAcceptedIsLostAndNothingCompletedComesBack() throws IOException {
    var kills = Integer.getInteger("kills", 20);
    var seed = Long.getLong("kills.seed", System.nanoTime());

    var verdict = KillRig.run(kills, seed);

    assertThat(verdict.violations()).as("seed " + seed).isEmpty();
    assertThat(verdict.kills()).isGreaterThanOrEqualTo(kills);
    // A kill may lose what was on its way to the taker, which is at most its credit.
    assertThat(verdict.takenAndLost()).isLessThanOrEqualTo(Deliveries.CREDIT * (2 * kills + 1));
    // Every recovery begins with a checkpoint, and not always with the same.
    assertThat(verdict.fromCheckpoint()).isEqualTo(verdict.kills());
    assertThat(verdict.fromNewCheckpoint()).isPositive();
    // A run that did nothing proves nothing.
    assertThat(verdict.accepted()).isGreaterThan(kills * 100);
    assertThat(verdict.completed()).isGreaterThan(kills * 20);
    assertThat(verdict.redelivered()).isGreaterThan(kills);
    assertThat(verdict.taken()).isGreaterThan(kills);
    assertThat(verdict.abandoned()).isPositive();
    assertThat(verdict.deferred()).isPositive();
    assertThat(verdict.deadLettered()).isPositive();
    assertThat(verdict.unknown()).isPositive();
    assertThat(verdict.mixed().isOfEverything()).as("%s", verdict.mixed()).isTrue();
  }
}
