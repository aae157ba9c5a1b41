package io.peeklock.kernel.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.Rule;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Numbers of rules that come and go in any order. */
class RuleNumbersTest {

  private final RuleNumbers numbers = new RuleNumbers();
  private final RuleMatches matches = new RuleMatches();

  private List<Integer> all() {
    matches.clear();
    numbers.addTo(matches);
    return IntStream.range(0, matches.count()).map(matches::rule).boxed().toList();
  }

  @RepeatedTest(30)
  @Rule("S-330")
  void theyAreThoseOfASortedSet(RepetitionInfo info) {
    Random random = new Random(info.getCurrentRepetition());
    TreeSet<Integer> expected = new TreeSet<>();
    for (int step = 0; step < 2_000; step++) {
      int number = random.nextInt(1 + step / 10);
      if (expected.remove(number)) {
        numbers.remove(number);
      } else {
        expected.add(number);
        numbers.add(number);
      }
      assertThat(numbers.isEmpty()).isEqualTo(expected.isEmpty());
      assertThat(all()).containsExactlyElementsOf(expected);
    }
  }

  @Test
  @Rule("S-195")
  void thoseThatWentDoNotFail() {
    IntStream.range(0, 10).forEach(numbers::add);
    IntStream.range(3, 6).forEach(numbers::remove);

    numbers.addFailedTo("no", matches);

    assertThat(IntStream.range(0, matches.failedCount()).map(matches::failedRule))
        .containsExactly(0, 1, 2, 6, 7, 8, 9);
  }
}
