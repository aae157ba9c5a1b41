package io.peeklock.simulator.bugs;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.LongProof;
import io.peeklock.proof.NotRun;
import java.io.IOException;
import java.nio.file.Files;
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
    return Stream.of("every second group is not synced", "a batch is applied twice")
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

  @Test
  void theTableHasThemAll() throws IOException {
    var page = page();

    assertThat(all()).allSatisfy(bug -> assertThat(page).contains(rowOf(bug)));
  }

  private static String page() throws IOException {
    return Files.readString(BrokenSources.repository().resolve("docs/durability.md"));
  }

  private static String rowOf(SeededBug bug) {
    return "| " + bug.name() + " | " + bug.breaks() + " | " + BugTable.word(bug.kind()) + " | ";
  }

  @ParameterizedTest
  @MethodSource("soonFound")
  void aSeededBugIsFound(SeededBug bug) {
    assertThat(Hunt.of(bug, FEW_SEEDS)).isNotNull();
  }

  @LongProof
  @ParameterizedTest
  @MethodSource("all")
  void eachSeededBugIsFound(SeededBug bug) throws IOException {
    if (page().contains(rowOf(bug) + "not yet")) {
      throw NotRun.because("the simulator does not find it yet, as the table says: " + bug);
    }
    assertThat(Hunt.of(bug, Hunt.MAX_SEEDS)).isNotNull();
  }

  /** A run has no memory of another, and does not depend on who else runs. */
  @Test
  void aSeedIsTheSameInAnotherClassLoader() {
    var one = BrokenBroker.withoutBug().player(200);
    var other = BrokenBroker.withoutBug().player(200);
    for (var seed = 1L; seed <= 3; seed++) {
      assertThat(one.apply(seed)).isEqualTo(other.apply(seed));
    }
  }
}
