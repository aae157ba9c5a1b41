package io.peeklock.conformance.orchestration;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.orchestration.OrchestrationRun.Scale;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code -Dorchestrations.seed=…} repeats the players' choices. */
class OrchestrationTest {
  private static final Scale FEW =
      new Scale(4, new Plan(8, 300), 3, 2, 1, 600, Duration.ofMinutes(2));
  private static final Scale FIFTY =
      new Scale(50, new Plan(60, 2_000), 8, 4, 40, 4_000, Duration.ofMinutes(20));

  private final long seed = Long.getLong("orchestrations.seed", System.nanoTime());

  @Test
  @Rule({"S-525", "S-379", "I-27", "I-29", "I-01"})
  void aFewAreCompleteExactlyOnceThroughAKillAndCuts() throws IOException {
    var outcome = new OrchestrationRun(FEW, seed).play();

    assertThat(outcome.violations()).as("seed " + seed).isEmpty();
    assertThat(outcome.kills()).isEqualTo(1);
    assertThat(outcome.cuts()).isPositive();
  }

  @Test
  @Rule("S-525")
  void aStateThatIsSetBesideItsTransactionIsNoticed() throws IOException {
    var outcome = new OrchestrationRun(FEW, seed, false).play();

    assertThat(outcome.violations()).as("seed " + seed).isNotEmpty();
  }

  @Test
  @LongProof
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  @Rule({"S-525", "S-379", "S-380", "S-396", "S-404", "I-27", "I-29", "I-30", "I-31", "I-01"})
  void fiftyAreCompleteExactlyOnceThroughKillsAndCuts() throws IOException {
    var outcome = new OrchestrationRun(FIFTY, seed).play();

    System.out.println(outcome.figures());
    assertThat(outcome.violations()).as("seed " + seed).isEmpty();
    assertThat(outcome.kills()).isGreaterThan(3);
    assertThat(outcome.cuts()).isGreaterThan(50);
  }
}
