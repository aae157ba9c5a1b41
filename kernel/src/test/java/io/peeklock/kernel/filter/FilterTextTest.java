package io.peeklock.kernel.filter;

import static io.peeklock.kernel.filter.Filters.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.proof.Rule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which texts are filters and actions, and where the others go wrong. */
class FilterTextTest {

  private static String filterProblem(String text) {
    return problem(SqlFilter.parse(text, SampleMessage.parameters(), FilterLimits.STANDARD));
  }

  private static String actionProblem(String text) {
    return problem(SqlAction.parse(text, SampleMessage.parameters(), FilterLimits.STANDARD));
  }

  @ParameterizedTest(name = "{0}: column {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
      ``                   | 1  | something is missing before the end
      a =                  | 4  | something is missing before the end
      a = )                | 5  | something is missing before )
      a = 1 b              | 7  | the end is expected, not the name b
      a = 1 'x'            | 7  | the end is expected, not a text
      a = 1 @text          | 7  | the end is expected, not the parameter @text
      a = 1 [b c]          | 7  | the end is expected, not the name [b c]
      a = 1 2              | 7  | the end is expected, not the number 2
      (a = 1               | 7  | ) is expected, not the end
      a = 1)               | 6  | the end is expected, not )
      AND a = 1            | 1  | something is missing before AND
      a = 1 AND            | 10 | something is missing before the end
      a                    | 1  | a condition is needed here, and this is a value; compare it, as in x = TRUE
      a AND b = 1          | 1  | a condition is needed here, and this is a value; compare it, as in x = TRUE
      b = 1 OR a           | 10 | a condition is needed here, and this is a value; compare it, as in x = TRUE
      NOT a                | 5  | a condition is needed here, and this is a value; compare it, as in x = TRUE
      TRUE                 | 1  | a condition is needed here, and this is a value; compare it, as in x = TRUE
      a = b = c            | 1  | a value is needed here, and this is a condition
      a = (b = c)          | 5  | a value is needed here, and this is a condition
      1 + NOT a = 1        | 5  | a value is needed here, and this is a condition
      (a = 1) + 1 = 2      | 1  | a value is needed here, and this is a condition
      (a = 1) IN (1)       | 1  | a value is needed here, and this is a condition
      -(a = 1) = 2         | 2  | a value is needed here, and this is a condition
      a IN 1               | 6  | ( is expected, not the number 1
      a IN ()              | 7  | something is missing before )
      a IN (1,)            | 9  | something is missing before )
      a IN (1              | 8  | ) is expected, not the end
      a NOT = 1            | 7  | IN or LIKE is expected behind NOT, not =
      a IS 1               | 6  | NULL is expected, not the number 1
      1 IS NULL            | 1  | IS NULL asks about a property
      a + 1 IS NULL        | 1  | IS NULL asks about a property
      EXISTS a             | 8  | ( is expected, not the name a
      EXISTS(1)            | 8  | EXISTS asks about a property
      EXISTS(newid())      | 8  | EXISTS asks about a property
      EXISTS(a             | 9  | ) is expected, not the end
      """)
  @Rule({"S-325", "S-331", "S-332"})
  void aWrongConditionIsRefusedWithItsPlace(String text, int column, String sentence) {
    assertThat(filterProblem(text)).isEqualTo("line 1, column " + column + ": " + sentence);
  }

  @ParameterizedTest(name = "{0}: column {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
      foo.a = 1            | 1  | before a dot stands sys or user; a name with a dot needs brackets
      [sys].a = 1          | 1  | before a dot stands sys or user; a name with a dot needs brackets
      sys. 1 = 1           | 6  | a property is expected, not the number 1
      sys.'x' = 1          | 5  | a property is expected, not a text
      lower(a) = 'x'       | 1  | there is no function lower, only newid, property and p
      newid(1) = a         | 7  | ) is expected, not the number 1
      p() = 1              | 3  | something is missing before )
      p(a, b) = 1          | 4  | ) is expected, not ,
      @gone = 1            | 1  | the parameter @gone has no value
      @ = 1                | 1  | a parameter needs a name behind the @
      [] = 1               | 1  | a name is empty
      "" = 1               | 1  | a name is empty
      [a = 1               | 1  | a name that begins here has no end: ] is missing
      a = 'x               | 5  | a text that begins here has no end: ' is missing
      a = "x               | 5  | a name that begins here has no end: " is missing
      a = 12b              | 7  | a number ends before b; put a blank between
      a = 1_000            | 6  | a number ends before _; put a blank between
      a = 1e               | 5  | the exponent of a number has no digits
      a = 1e+ 2            | 5  | the exponent of a number has no digits
      a = 9223372036854775808   | 5 | a whole number is at most 9223372036854775807
      -a = -9223372036854775809 | 7 | a whole number is at most 9223372036854775807
      a = 1e999            | 5  | a number is at most 1.7976931348623157E308
      a ! 1                | 3  | nothing begins with !
      a = #                | 5  | nothing begins with #
      _a = 1               | 1  | nothing begins with _
      a LIKE 1             | 8  | LIKE compares texts, and a value of type LONG
      a LIKE 'x!' ESCAPE '!'   | 8 | the pattern of LIKE ends with its escape character
      a LIKE 'x' ESCAPE '!!'   | 8 | the escape of LIKE is one character
      a LIKE b ESCAPE ''       | 8 | the escape of LIKE is one character
      a LIKE b ESCAPE 1        | 8 | LIKE compares texts, and a value of type LONG
      a = 1;               | 6  | the end is expected, not ;
      LIKE = 1             | 1  | something is missing before LIKE
      a = null.b           | 9  | the end is expected, not .
      """)
  @Rule({"S-325", "S-337", "S-338", "S-339", "S-340", "S-341", "S-342"})
  void aWrongNameOrConstantIsRefusedWithItsPlace(String text, int column, String sentence) {
    assertThat(filterProblem(text)).isEqualTo("line 1, column " + column + ": " + sentence);
  }

  @Test
  @Rule("S-325")
  void aProblemIsPlacedByLineAndColumn() {
    var wrong =
        (Parsed.Wrong<SqlFilter>) SqlFilter.parse("a = 1\n  AND b = \u0007", FilterLimits.STANDARD);

    assertThat(wrong.problem())
        .isEqualTo(new FilterProblem(16, 2, 11, "nothing begins with the control character 7"));
  }

  @ParameterizedTest(name = "{0}: column {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
      ``                       | 1  | SET is expected, not the end
      a = 1                    | 1  | SET is expected, not the name a
      SET                      | 4  | a property is expected, not the end
      SET 1 = 2                | 5  | a property is expected, not the number 1
      SET a                    | 6  | = is expected, not the end
      SET a 1                  | 7  | = is expected, not the number 1
      SET a =                  | 8  | something is missing before the end
      SET a = b = 1            | 11 | SET is expected, not =
      SET a = (b = 1)          | 9  | a value is needed here, and this is a condition
      SET p('a') = 1           | 6  | = is expected, not (
      SET set = 1              | 5  | a property is expected, not SET
      SET sys.SequenceNumber = 1 | 5 | an action cannot change sys.SequenceNumber
      REMOVE sys.EnqueuedTimeUtc | 8 | an action cannot change sys.EnqueuedTimeUtc
      REMOVE                   | 7  | a property is expected, not the end
      REMOVE a b               | 10 | SET is expected, not the name b
      SET a = 1;;              | 11 | SET is expected, not ;
      SET a = @gone            | 9  | the parameter @gone has no value
      """)
  @Rule({"S-325", "S-358"})
  void aWrongActionIsRefusedWithItsPlace(String text, int column, String sentence) {
    assertThat(actionProblem(text)).isEqualTo("line 1, column " + column + ": " + sentence);
  }

  @Test
  @Rule("S-365")
  void aFilterHasAtMost1024Characters() {
    String filler = " ".repeat(1_024 - 5);

    assertThat(filterProblem("a = 1" + filler)).isEqualTo("none");
    assertThat(filterProblem("a = 1 " + filler))
        .isEqualTo("line 1, column 1025: the text has 1025 characters, at most 1024");
  }

  @Test
  @Rule("S-365")
  void anActionHasAtMost1024CharactersAnd32Statements() {
    String statement = "SET a = 1;";
    String filler = " ".repeat(1_024 - statement.length());

    assertThat(actionProblem(statement + filler)).isEqualTo("none");
    assertThat(actionProblem(statement + filler + " "))
        .isEqualTo("line 1, column 1025: the text has 1025 characters, at most 1024");
    assertThat(actionProblem(statement.repeat(32))).isEqualTo("none");
    assertThat(actionProblem(statement.repeat(33)))
        .isEqualTo("line 1, column 321: an action has at most 32 statements");
  }

  @ParameterizedTest
  @ValueSource(strings = {"(%)", "NOT %", "b = 1 AND (%)"})
  @Rule({"S-365", "S-325"})
  void aFilterNestsAtMost32Levels(String level) {
    var condition = "a = 1";
    for (int i = 0; i < 32; i++) {
      condition = level.replace("%", condition);
    }
    var limits = new FilterLimits(4_096, 32, 10_000, 32);
    assertThat(problem(SqlFilter.parse(condition, limits))).isEqualTo("none");

    condition = level.replace("%", condition);
    assertThat(problem(SqlFilter.parse(condition, limits)))
        .endsWith(": the text nests deeper than 32 levels");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-", "p(", "(", "+p((-"})
  @Rule("S-365")
  void valuesNestAtMost32LevelsToo(String level) {
    assertThat(filterProblem("a = " + level.repeat(40))).contains("nests deeper than 32 levels");
  }

  @Test
  @Rule("S-365")
  void aFilterHasAtMostSoManyParts() {
    var limits = new FilterLimits(65_536, 32, 10, 32);

    assertThat(problem(SqlFilter.parse("a IN (1, 2, 3, 4, 5, 6, 7, 8)", limits))).isEqualTo("none");
    assertThat(problem(SqlFilter.parse("a IN (1, 2, 3, 4, 5, 6, 7, 8, 9)", limits)))
        .isEqualTo("line 1, column 31: the text has more than 10 parts");
  }

  @Test
  @Rule("S-365")
  void theLongestChainsOfTheMostGenerousProfileAreNoDanger() {
    String sum = "a" + "+1".repeat(4_990) + " > 0";
    String any = "a = 1" + " OR a = 1".repeat(2_400);
    var message = SampleMessage.empty().with("a", FilterValue.of(2));

    var chain = Filters.done(SqlFilter.parse(sum, FilterLimits.CEILING));
    assertThat(Filters.selects(chain, message)).isTrue();
    var filter = Filters.done(SqlFilter.parse(any, FilterLimits.CEILING));
    assertThat(Filters.selects(filter, message)).isFalse();
    String deep = "(".repeat(128) + "a = 2" + ")".repeat(128);
    assertThat(Filters.selects(Filters.done(SqlFilter.parse(deep, FilterLimits.CEILING)), message))
        .isTrue();
  }

  @Test
  void limitsAreAtLeastOneAndBelowTheCeiling() {
    assertThatThrownBy(() -> new FilterLimits(0, 1, 1, 1))
        .hasMessage("maxCharacters must be in 1..65536");
    assertThatThrownBy(() -> new FilterLimits(1, 129, 1, 1))
        .hasMessage("maxDepth must be in 1..128");
    assertThatThrownBy(() -> new FilterLimits(1, 1, 10_001, 1))
        .hasMessage("maxParts must be in 1..10000");
    assertThatThrownBy(() -> new FilterLimits(1, 1, 1, 1_025))
        .hasMessage("maxStatements must be in 1..1024");
  }
}
