package io.peeklock.simulator;

import static org.assertj.core.api.Assertions.assertThat;

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
  private static final int STEPS = 300;

  private static Run played(long seed, int steps) {
    var auditor = new CompositeAuditor(List.of(new CountingAuditor(), Auditors.ofThisBuild()));
    return new Run(seed, Run.steps(seed, steps), auditor).play();
  }

  @Test
  void theSameSeedGivesTheSameTrace() {
    for (var seed = 1L; seed <= 50; seed++) {
      assertThat(played(seed, STEPS).hash())
          .as("seed " + seed)
          .isEqualTo(played(seed, STEPS).hash());
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
    for (var seed = 1L; seed <= 20; seed++) {
      var auditor = new Lie(kind, Auditors.ofThisBuild());
      var failure = new Run(seed, Run.steps(seed, STEPS), auditor).play().failure();
      found += failure == null ? 0 : 1;
    }

    if (kind == Lie.Kind.NONE) {
      assertThat(found).isZero();
    } else {
      assertThat(found).isPositive();
    }
  }

  @Test
  void aFindIsShrunkToWhatItNeeds() {
    var seed = 3L;
    var steps = Run.steps(seed, 200);
    var failure = Objects.requireNonNull(new Run(seed, steps, new NoDeliveries()).play().failure());

    var left = new Shrinker(seed, NoDeliveries::new, failure.rule()).shrink(steps);

    assertThat(left).hasSizeLessThan(20);
    assertThat(new Run(seed, left, new NoDeliveries()).play().failure()).isNotNull();
  }

  @Test
  void theProgramSaysWhatToDo() {
    assertThat(Main.Arguments.parse(List.of("--seed", "7", "--steps", "10")))
        .isEqualTo(new Main.Arguments(7, 1, 10, true));
  }
}
