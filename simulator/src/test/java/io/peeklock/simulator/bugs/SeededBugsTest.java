package io.peeklock.simulator.bugs;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.LongProof;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulator finds bugs, and we know which: each seeded one is found, and none without. */
class SeededBugsTest {
  private static final int FEW_SEEDS = 60;

  static List<SeededBug> all() {
    return SeededBugs.ALL;
  }

  /** Some that are found soon. */
  static Stream<SeededBug> soonFound() {
    return Stream.of("a torn end stays in the file", "sequence numbers begin again after a restart")
        .map(SeededBugs::named);
  }

  @ParameterizedTest
  @MethodSource("all")
  void theCodeIsStillThatOfTheBug(SeededBug bug) {
    assertThat(InMemoryCompiler.compile(BrokenSources.of(bug))).isNotEmpty();
  }

  @Test
  void namesAreDifferent() {
    assertThat(all()).extracting(SeededBug::name).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @MethodSource("soonFound")
  void aSeededBugIsFound(SeededBug bug) {
    assertThat(Hunt.of(bug, FEW_SEEDS)).isNotNull();
  }

  @LongProof
  @ParameterizedTest
  @MethodSource("all")
  void eachSeededBugIsFound(SeededBug bug) {
    assertThat(Hunt.of(bug, Hunt.MAX_SEEDS)).isNotNull();
  }

  /** A run has no memory of another, and does not depend on who else runs. */
  @Test
  void aSeedIsTheSameInAnotherClassLoader() {
    var one = BrokenBroker.withoutBug().player(200);
    var other = BrokenBroker.withoutBug().player(200);
    for (var seed = 1L; seed <= 5; seed++) {
      assertThat(one.apply(seed)).isEqualTo(other.apply(seed));
    }
  }
}
