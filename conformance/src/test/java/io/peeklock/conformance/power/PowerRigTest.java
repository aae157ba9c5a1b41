package io.peeklock.conformance.power;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.Command;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.NotRun;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code -Dpower.cycles=100} for the long form, {@code -Dpower.seed=…} to repeat the choices. */
@Isolated
@LongProof
class PowerRigTest {

  @ParameterizedTest(name = "{0}")
  @EnumSource
  @Timeout(value = 2, unit = TimeUnit.HOURS)
  @Rule({
    "I-01", "I-02", "I-03", "I-04", "I-05", "I-06", "I-07", "I-12", "I-13", "I-16", "I-18", "I-20",
    "I-24", "I-25", "I-27", "I-28", "I-31", "I-33", "I-35", "I-36"
  })
  void nothingAcceptedIsLostAndNothingCompletedComesBackWhenThePowerGoes(FileSystemKind kind)
      throws IOException {
    var cycles = Integer.getInteger("power.cycles", 3);
    var seed = Long.getLong("power.seed", System.nanoTime());

    var verdict = PowerRig.run(kind, cycles, seed);

    assertThat(verdict.violations()).as("seed " + seed).isEmpty();
    assertThat(verdict.lost()).isZero();
    assertThat(verdict.cameBack()).isZero();
    assertThat(verdict.kills()).isGreaterThanOrEqualTo(cycles);
    // A run that did nothing proves nothing.
    assertThat(verdict.accepted()).isGreaterThan(cycles * 50);
    assertThat(verdict.completed()).isGreaterThan(cycles * 10);
    assertThat(verdict.fromCheckpoint()).isEqualTo(verdict.kills());
    assertThat(verdict.mixed().isOfEverything()).as("%s", verdict.mixed()).isTrue();
  }

  /** The rig must be able to say no. */
  @ParameterizedTest(name = "{0}")
  @EnumSource
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void aBrokerThatDoesNotSyncIsCaught(FileSystemKind kind) throws IOException {
    if (!Command.exists("strace")) {
      throw NotRun.because("no strace on this machine");
    }

    var verdict = PowerRig.runWithoutSync(kind, 1, 1);

    assertThat(verdict.accepted()).isPositive();
    assertThat(verdict.lost()).isPositive();
  }
}
