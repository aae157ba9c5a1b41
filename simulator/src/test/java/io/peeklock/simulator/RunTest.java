package io.peeklock.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.LongProof;
import io.peeklock.simulator.world.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A seed is a proof, and the runs of some seeds end well. */
class RunTest {
  private static final int SEEDS = 100;
  private static final int FRAME_SEEDS = 20;
  private static final int SEEDS_TWICE = 15;
  private static final int FRAME_SEEDS_TWICE = 6;
  private static final int LYING_FRAME_SEEDS = 25;
  private static final int STEPS = 300;

  private static Run played(long seed, int steps) {
    return played(Depth.SHARD, seed, steps);
  }

  private static Run played(Depth depth, long seed, int steps) {
    var auditor = new CompositeAuditor(List.of(new CountingAuditor(), Auditors.of(depth)));
    return new Run(depth, seed, Run.steps(seed, steps), auditor).play();
  }

  @Test
  void theSameSeedGivesTheSameTrace() {
    for (var seed = 1L; seed <= SEEDS_TWICE; seed++) {
      assertThat(played(seed, STEPS).hash())
          .as("seed " + seed)
          .isEqualTo(played(seed, STEPS).hash());
    }
  }

  @LongProof
  @Test
  void manySeedsGiveTheSameTraceTwice() {
    for (var depth : Depth.values()) {
      for (var seed = 1L; seed <= 50; seed++) {
        assertThat(played(depth, seed, STEPS).hash())
            .as("seed " + seed)
            .isEqualTo(played(depth, seed, STEPS).hash());
      }
    }
  }

  @Test
  void theBrokerComesToRestWhateverHappens() {
    var coverage = new Coverage();
    var failures = new ArrayList<String>();
    for (var seed = 1L; seed <= SEEDS; seed++) {
      var run = played(seed, STEPS);
      coverage.add(run.coverage());
      if (run.failure() != null) {
        failures.add("seed " + seed + ": " + run.failure());
      }
    }

    assertThat(failures).isEmpty();
    for (var fault : Fault.values()) {
      assertThat(coverage.counts()).containsKey("fault " + fault);
    }
    assertThat(coverage.counts()).containsKeys("restarted", "delivered again", "at rest");
  }

  @Test
  void framesOfTheSameSeedAreTheSame() {
    var coverage = new Coverage();
    for (var seed = 1L; seed <= FRAME_SEEDS; seed++) {
      var run = played(Depth.FRAMES, seed, STEPS);
      coverage.add(run.coverage());
      assertThat(run.failure()).as("seed " + seed).isNull();
      if (seed <= FRAME_SEEDS_TWICE) {
        var again = played(Depth.FRAMES, seed, STEPS);
        assertThat(run.hash()).as("seed " + seed).isEqualTo(again.hash());
      }
    }

    assertThat(coverage.counts())
        .containsKeys("Send → Done", "Settle → Done", "delivered again", "drained", "restarted")
        .containsKeys("Renew → LockedUntil", "Peek → Messages", "ReceiveDeferred → Messages")
        .containsKeys("Send → Numbered", "CancelScheduled → Done", "SetState → Done")
        .containsKeys("AcceptSession → SessionAccepted", "Discharge → Done", "SettleIn → Done")
        .containsKeys("Send in doubt", "receiver ended: Disconnected", "rolled back")
        .containsKeys("receiver ended: amqp:unauthorized-access")
        .containsKeys("trouble CUT_THERE", "trouble CUT_BACK", "trouble CLOSE", "trouble END")
        .containsKey("trouble SLOW_READER");
  }

  /** A reader that is slow pinned a dead file, and checkpoints were made for it without end. */
  @ParameterizedTest
  @ValueSource(longs = {225, 258})
  void aFileThatASlowReaderHoldsIsNoReasonForCheckpoints(long seed) {
    assertThat(played(seed, 500).failure()).isNull();
  }

  /** The model is worth something: it hears of each of these lies, and of no other. */
  @ParameterizedTest
  @EnumSource(Lie.Kind.class)
  void theModelFindsWhatMayNotBe(Lie.Kind kind) {
    var found = 0;
    for (var seed = 1L; seed <= 20 && found == 0; seed++) {
      var auditor = new Lie(kind, Auditors.of(Depth.SHARD));
      var failure = new Run(Depth.SHARD, seed, Run.steps(seed, STEPS), auditor).play().failure();
      found += failure == null ? 0 : 1;
    }

    if (kind == Lie.Kind.NONE) {
      assertThat(found).isZero();
    } else {
      assertThat(found).isPositive();
    }
  }

  /** And so does who judges the runs of frames, of those that he can judge. */
  @ParameterizedTest
  @EnumSource(
      value = Lie.Kind.class,
      names = {"NONE", "DELIVERED_TWICE", "SEND_REFUSED", "LOST_IN_A_PEEK"})
  void whatMayNotBeIsFoundInFrames(Lie.Kind kind) {
    var found = 0;
    for (var seed = 1L; seed <= LYING_FRAME_SEEDS && found == 0; seed++) {
      var auditor = new Lie(kind, Auditors.of(Depth.FRAMES));
      var failure = new Run(Depth.FRAMES, seed, Run.steps(seed, STEPS), auditor).play().failure();
      found += failure == null ? 0 : 1;
    }

    assertThat(found > 0).isEqualTo(kind != Lie.Kind.NONE);
  }

  @Test
  void aFindIsShrunkToWhatItNeeds() {
    var seed = 3L;
    var steps = Run.steps(seed, 200);
    var failure =
        Objects.requireNonNull(
            new Run(Depth.SHARD, seed, steps, new NoDeliveries()).play().failure());

    var left = new Shrinker(Depth.SHARD, seed, NoDeliveries::new, failure.rule()).shrink(steps);

    assertThat(left).hasSizeLessThan(20);
    assertThat(new Run(Depth.SHARD, seed, left, new NoDeliveries()).play().failure()).isNotNull();
  }
}
