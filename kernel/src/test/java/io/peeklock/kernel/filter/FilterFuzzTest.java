package io.peeklock.kernel.filter;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/**
 * Texts of all kinds: each is a filter or is refused, each filter says yes or no or fails with a
 * sentence, and nothing else ever comes out.
 *
 * <p>A few seconds by seeds; and over inputs that Jazzer finds by coverage: with {@code
 * JAZZER_FUZZ=1} in the environment it searches for {@value #MOST_TIME}, without, it replays the
 * inputs that are kept beside this class's resources, an empty one at least.
 */
class FilterFuzzTest {
  private static final String MOST_TIME = "10m";
  private static final String[] WORDS = {
    "color",
    "gone",
    "size",
    "moment",
    "span",
    "nothing",
    "[HR-Id]",
    "\"a\"",
    "sys.",
    "sys.To",
    "sys.Foo",
    "user.",
    "'red'",
    "'r%'",
    "'!'",
    "''",
    "1",
    "12",
    "2.5",
    "1e5",
    "0",
    "-",
    "+",
    "*",
    "/",
    "%",
    "(",
    ")",
    ",",
    ".",
    ";",
    "=",
    "<>",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "AND",
    "OR",
    "NOT",
    "IN",
    "LIKE",
    "ESCAPE",
    "IS",
    "NULL",
    "EXISTS",
    "TRUE",
    "FALSE",
    "SET",
    "REMOVE",
    "newid()",
    "p('color')",
    "property(",
    "@text",
    "@gone",
    "@none",
    "ä",
    "😀",
    "\u0000",
    "\ud800",
    "[",
    "'"
  };

  private final SampleMessage message = SampleMessage.full();
  private final RuleMatches matches = new RuleMatches();
  private final PropertyChanges changes = new PropertyChanges();
  private int filters;

  @RepeatedTest(4)
  @Rule({"S-325", "S-357"})
  void wordsInAnyOrderAreAFilterOrRefused(RepetitionInfo info) {
    runWords(info.getCurrentRepetition());
  }

  @RepeatedTest(16)
  @LongProof
  @Rule({"S-325", "S-357"})
  void moreWordsInAnyOrderAreAFilterOrRefused(RepetitionInfo info) {
    runWords(4 + info.getCurrentRepetition());
  }

  private void runWords(int seed) {
    var random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      run(words(random));
    }
    assertThat(filters).as("some of them were filters or actions").isPositive();
  }

  @RepeatedTest(4)
  @Rule({"S-325", "S-357"})
  void aRightFilterWithAFaultInItIsAFilterOrRefused(RepetitionInfo info) {
    runFaults(info.getCurrentRepetition());
  }

  @RepeatedTest(16)
  @LongProof
  @Rule({"S-325", "S-357"})
  void moreRightFiltersWithAFaultAreAFilterOrRefused(RepetitionInfo info) {
    runFaults(4 + info.getCurrentRepetition());
  }

  private void runFaults(int seed) {
    var random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      var text =
          new StringBuilder(
              "(color = 'red' OR size LIKE '1!%%' ESCAPE '!') AND NOT quantity + 2 * -price IN (1,"
                  + " 2) AND sys.To IS NOT NULL AND EXISTS(user.[HR-Id])");
      for (int fault = random.nextInt(3); fault >= 0; fault--) {
        int at = random.nextInt(text.length());
        text.replace(at, at + random.nextInt(2), WORDS[random.nextInt(WORDS.length)]);
      }
      run(text.toString());
    }
    assertThat(filters).as("some of them were filters").isPositive();
  }

  @FuzzTest(maxDuration = MOST_TIME)
  void noTextBreaksAnything(byte[] input) {
    run(new String(input, StandardCharsets.UTF_8));
    run(words(new Bytes(input)));
  }

  private static String words(Random random) {
    var text = new StringBuilder(random.nextInt(4) == 0 ? "SET a = " : "");
    for (int left = random.nextInt(12) + 1; left > 0; left--) {
      text.append(WORDS[random.nextInt(WORDS.length)]);
      text.append(random.nextInt(4) == 0 ? "" : " ");
    }
    return text.toString();
  }

  private void run(String text) {
    try {
      runFilter(text);
      runAction(text);
    } catch (RuntimeException | StackOverflowError broken) {
      throw new AssertionError("this broke: " + text, broken);
    }
  }

  private void runFilter(String text) {
    switch (SqlFilter.parse(text, SampleMessage.parameters(), FilterLimits.STANDARD)) {
      case Parsed.Wrong<SqlFilter> wrong -> requirePlace(wrong.problem(), text);
      case Parsed.Done<SqlFilter> done -> {
        filters++;
        var table = new RuleTable();
        table.add(1, done.value());
        table.match(message, 1, matches);
        assertThat(matches.count() + matches.failedCount()).isBetween(0, 1);
      }
    }
  }

  private void runAction(String text) {
    switch (SqlAction.parse(text, SampleMessage.parameters(), FilterLimits.STANDARD)) {
      case Parsed.Wrong<SqlAction> wrong -> requirePlace(wrong.problem(), text);
      case Parsed.Done<SqlAction> done -> {
        filters++;
        String failure = done.value().ready().apply(message, 1, changes, new ActionBudget(1));
        assertThat(failure).isNotEqualTo("");
      }
    }
  }

  private static void requirePlace(FilterProblem problem, String text) {
    assertThat(problem.sentence()).isNotEmpty();
    assertThat(problem.offset()).isBetween(0, text.length());
    assertThat(problem.line()).isPositive();
    assertThat(problem.column()).isPositive();
  }

  /** Chance out of bytes; 0 once they are used up. */
  private static final class Bytes extends Random {
    private static final long serialVersionUID = 1L;
    private final byte[] bytes;
    private int at;

    Bytes(byte[] bytes) {
      super(0);
      this.bytes = bytes;
    }

    @Override
    public int nextInt(int bound) {
      return at < bytes.length ? Math.floorMod(bytes[at++], bound) : 0;
    }
  }
}
