package io.peeklock.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.simulator.history.Auditor;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What {@code ./peeklock simulate} takes and tells. */
class MainTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private boolean ran(Supplier<Auditor> auditors, String... words) throws InterruptedException {
    var progress = new Progress(new PrintStream(out, true, StandardCharsets.UTF_8));
    return new Main(Arguments.parse(List.of(words), 2), auditors, progress).run();
  }

  private String told() {
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void oneSeedIsPlayedAloneAndManyOnAllProcessors() {
    assertThat(Arguments.parse(List.of("--seed", "7", "--steps", "10"), 8))
        .isEqualTo(new Arguments(Depth.SHARD, 7, 1, 10, 8, true, false));
    assertThat(
            Arguments.parse(List.of("--frames", "--forever", "--threads", "3", "--no-shrink"), 8))
        .isEqualTo(new Arguments(Depth.FRAMES, 1, Long.MAX_VALUE, 2_000, 3, false, false));
  }

  @Test
  void whatIsNoOptionAndNoNumberIsRefused() {
    assertThatThrownBy(() -> Arguments.parse(List.of("--sede", "7"), 1))
        .hasMessage("no such option: --sede; --help");
    assertThatThrownBy(() -> Arguments.parse(List.of("--seed"), 1))
        .hasMessage("--seed wants a number");
    assertThatThrownBy(() -> Arguments.parse(List.of("--threads", "none"), 1))
        .hasMessage("--threads wants a number from 1 to 1024");
  }

  @Test
  void seedsAreCountedWithTheirOperationsAndFaults() throws InterruptedException {
    assertThat(ran(CountingAuditor::new, "--seeds", "12", "--steps", "150", "--threads", "4"))
        .isTrue();

    assertThat(told())
        .contains("CreateQueue asked", "fault ", "12 seeds, ", "operations/s, 0 failed");
  }

  @Test
  void aFindIsToldWithItsSeedAndTheShortestRun() throws InterruptedException {
    assertThat(ran(NoDeliveries::new, "--seed", "3", "--steps", "200")).isFalse();

    assertThat(told())
        .contains(
            "FAILED with --seed 3 --steps 200 at step ",
            "trace ",
            "seed 3 needs only ",
            "1 failed");
  }

  /** No run may have anything that another one sees. */
  @Test
  void aSeedPlaysTheSameAloneAndBesideOthers() throws InterruptedException {
    var seeds = 12;
    var alone = new long[seeds];
    var together = new long[seeds];
    for (var seed = 0; seed < seeds; seed++) {
      alone[seed] = hashOf(seed);
    }

    var threads = new Thread[4];
    for (var i = 0; i < threads.length; i++) {
      var first = i;
      threads[i] =
          new Thread(
              () -> {
                for (var seed = first; seed < seeds; seed += threads.length) {
                  together[seed] = hashOf(seed);
                }
              });
      threads[i].start();
    }
    for (var thread : threads) {
      thread.join();
    }

    assertThat(together).isEqualTo(alone);
  }

  private static long hashOf(long seed) {
    return new Run(Depth.SHARD, seed, Run.steps(seed, 200), new CountingAuditor()).play().hash();
  }
}
