package io.peeklock.kernel.filter;

import static io.peeklock.kernel.filter.Filters.selects;
import static io.peeklock.kernel.filter.Filters.sql;
import static io.peeklock.kernel.filter.Filters.truth;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.Rule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Conditions and their truth (T, F, U for unknown) for {@link SampleMessage#full}. */
class SqlFilterTest {

  private final SampleMessage message = SampleMessage.full();

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          color = 'red'                        | T
          color = 'blue'                       | F
          color <> 'blue'                      | T
          color != 'red'                       | F
          quantity > 12                        | F
          quantity > 11                        | T
          quantity >= 12                       | T
          quantity >= 13                       | F
          quantity < 12                        | F
          quantity < 13                        | T
          quantity <= 12                       | T
          quantity <= 11                       | F
          (quantity) = (12)                    | T
          NOT quantity = 12                    | F
          color IN ('blue', 'red')             | T
          color IN ('blue')                    | F
          color NOT IN ('blue', 'red')         | F
          color NOT IN ('blue')                | T
          quantity IN (1, 6 + 6)               | T
          nothing IS NULL                      | T
          nothing IS NOT NULL                  | F
          color IS NULL                        | F
          color IS NOT NULL                    | T
          EXISTS(color)                        | T
          EXISTS (gone)                        | F
          NOT EXISTS(gone)                     | T
          color LIKE 'r%'                      | T
          color NOT LIKE 'r%'                  | F
          path LIKE '100!%!_%' ESCAPE '!'      | T
          1=1                                  | T
          1=0                                  | F
          """)
  @Rule({"S-331", "S-323"})
  void predicates(String condition, String truth) {
    assertThat(truth(condition, message)).isEqualTo(truth);
  }

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          quantity + 1 = 13                    | T
          quantity - 1 - 1 = 10                | T
          quantity * 2 = 24                    | T
          quantity / 5 = 2                     | T
          -quantity / 5 = -2                   | T
          quantity % 5 = 2                     | T
          +quantity = 12                       | T
          - quantity = 0 - 12                  | T
          --quantity = 12                      | T
          price + 1 = 3.5                      | T
          quantity + price = 14.5              | T
          quantity / 5.0 = 2.4                 | T
          price % 2 = 0.5                      | T
          price - 1 = 1.5                      | T
          price * 2 = 5                        | T
          -price = -2.5                        | T
          rate * 2 = 1                         | T
          -rate = 0 - 0.5                      | T
          amount + 1 > 2                       | T
          amount - 1 < 1                       | T
          amount * 10 = 11                     | T
          amount / 11 * 10 = 1                 | T
          amount % 1 < 0.2                     | T
          -amount < 0                          | T
          amount + price = 3.6                 | T
          count + 250 = 257                    | T
          'a' + 'b' = 'ab'                     | T
          color + '-' + quantity = 'red-12'    | T
          quantity + color = '12red'           | T
          'x' + price = 'x2.5'                 | T
          'x' + price * 2 = 'x5'               | T
          'x' + rate = 'x0.5'                  | T
          'x' + amount = 'x1.10'               | T
          'x' + flag = 'xTrue'                 | T
          'x' + (1.0 / 3) LIKE 'x0.333%'       | T
          1e20 + 'x' = '1.0E20x'               | T
          'x' + FALSE = 'xFalse'               | T
          id + '' LIKE '0000%-0000-0001-%2'    | T
          2 * (3 + 4) = 14                     | T
          """)
  @Rule({"S-332", "S-354", "S-355"})
  void expressions(String condition, String truth) {
    assertThat(truth(condition, message)).isEqualTo(truth);
  }

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          gone = 1                             | U
          gone <> 1                            | U
          gone != 'x'                          | U
          nothing = NULL                       | U
          NULL = NULL                          | U
          1 = NULL                             | U
          gone > 1                             | U
          1 < gone                             | U
          gone + 1 = 1                         | U
          1 + gone = 1                         | U
          1 + gone + 1/0 = 1                   | U
          -gone = 1                            | U
          +gone = 1                            | U
          gone LIKE '%'                        | U
          gone NOT LIKE '%'                    | U
          color LIKE gone                      | U
          color LIKE 'r%' ESCAPE gone          | U
          gone LIKE 'r%' ESCAPE '!'            | U
          color LIKE NULL                      | U
          color LIKE '!r' ESCAPE NULL          | U
          color LIKE @none                     | U
          gone IN (1, 2)                       | U
          gone NOT IN (1, 2)                   | U
          color IN ('red', gone)               | T
          color IN ('blue', gone)              | U
          color NOT IN ('blue', gone)          | U
          color NOT IN ('red', gone)           | F
          color IN (NULL, 'red')               | T
          gone IS NULL                         | T
          gone IS NOT NULL                     | F
          EXISTS(nothing)                      | T
          property(gone) = 1                   | U
          p(nothing) IS NULL                   | T
          EXISTS(property('nothing'))          | T
          """)
  @Rule({"S-346", "S-347", "S-349", "S-350", "S-351"})
  void whatTheMessageDoesNotHaveIsUnknown(String condition, String truth) {
    assertThat(truth(condition, message)).isEqualTo(truth);
  }

  @ParameterizedTest(name = "{0} AND {1} is {2}, OR is {3}")
  @CsvSource({
    "T, T, T, T", "T, F, F, T", "T, U, U, T",
    "F, T, F, T", "F, F, F, F", "F, U, F, U",
    "U, T, U, T", "U, F, F, U", "U, U, U, U",
  })
  @Rule("S-348")
  void threeTruths(String one, String other, String and, String or) {
    String left = condition(one);
    String right = condition(other);

    assertThat(truth(left + " AND " + right, message)).isEqualTo(and);
    assertThat(truth(left + " OR " + right, message)).isEqualTo(or);
    assertThat(truth("NOT (" + left + " AND " + right + ")", message)).isEqualTo(opposite(and));
    assertThat(truth("NOT (" + left + " OR " + right + ")", message)).isEqualTo(opposite(or));
  }

  private static String condition(String truth) {
    return truth.equals("U") ? "gone = 1" : truth.equals("T") ? "1 = 1" : "1 = 0";
  }

  private static String opposite(String truth) {
    return truth.equals("U") ? "U" : truth.equals("T") ? "F" : "T";
  }

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          size = 10                            | U
          size <> 10                           | U
          size > 9                             | U
          size IN (10, 11)                     | U
          size = '10'                          | T
          quantity = '12'                      | U
          quantity = 12.0                      | T
          count = 7.0                          | T
          amount = 1.1                         | T
          amount > 1                           | T
          huge > most                          | T
          huge = 18446744073709551615.0        | T
          big = 9007199254740992               | F
          nan = nan                            | F
          nan <> nan                           | T
          nan < 1                              | F
          nan <= 1                             | F
          nan > 1                              | F
          nan >= 1                             | F
          rate = 0.5                           | T
          flag = TRUE                          | T
          flag = false                         | F
          flag <> FALSE                        | T
          flag = 1                             | U
          id = @id                             | T
          id <> @id                            | F
          id = 'x'                             | U
          bytes = @bytes                       | T
          list = list                          | U
          list = 1                             | U
          EXISTS(list)                         | T
          list IS NULL                         | F
          """)
  @Rule({"S-354", "S-356"})
  void numbersCompareByValueAndKindsDoNotMix(String condition, String truth) {
    assertThat(truth(condition, message)).isEqualTo(truth);
  }

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          color = 'Red'                        | F
          color LIKE 'R%'                      | F
          color < 'ree'                        | T
          color > 'Red'                        | T
          'a' < 'B'                            | F
          word > 'a'                           | T
          'a' < 'ab'                           | T
          """)
  @Rule({"S-353"})
  void textsCompareByTheirCharactersAndCaseCounts(String condition, String truth) {
    assertThat(truth(condition, message)).isEqualTo(truth);
  }

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          moment < @moment                     | F
          moment <= @moment                    | T
          later > @moment                      | T
          (later - moment) <= @span            | T
          later - moment < @span               | F
          later - moment = span                | T
          moment + span = later                | T
          span + moment = later                | T
          later - span = moment                | T
          span + span > span                   | T
          span - span < span                   | T
          -span < span                         | T
          sys.EnqueuedTimeUtc - later < @span  | T
          sys.TimeToLive > @span               | T
          moment = span                        | U
          color = @TEXT                        | T
          quantity > @limit                    | T
          rate = @half                         | T
          flag = @yes                          | T
          color LIKE @pattern                  | T
          """)
  @Rule({"S-343", "S-344"})
  void timesAndParameters(String condition, String truth) {
    assertThat(truth(condition, message)).isEqualTo(truth);
  }

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          sys.Label LIKE '%bus%'               | T
          sys.label = 'bus stop'               | T
          SYS.Subject = 'bus stop'             | T
          sys.[MessageId] = 'm-1'              | T
          sys."To" = 'Store5'                  | T
          sys.SequenceNumber = 42              | T
          sys . To IN ('Store5', 'Store6')     | T
          sys.ReplyTo = 'x'                    | U
          sys.ReplyTo IS NULL                  | T
          EXISTS(sys.ReplyTo)                  | F
          EXISTS(sys.To)                       | T
          user.color = 'red'                   | T
          USER.Color = 'red'                   | T
          COLOR = 'red'                        | T
          Label = 'bus stop'                   | U
          [HR-Id] = 5                          | T
          [hr-ID] = 5                          | T
          user.[HR-Id] = 5                     | T
          "HR-Id" = 5                          | T
          [a]]b] = 1                           | T
          größe = 3                            | T
          GRÖSSE = 3                           | U
          GRÖßE = 3                            | T
          path = '100%_a''b'                   | T
          property('color') = 'red'            | T
          P('Col' + 'or') = 'red'              | T
          p([name of it]) = 'red'              | T
          PROPERTY('gone') IS NULL             | T
          p(@text) IS NULL                     | T
          p = 1                                | U
          newid = 1                            | U
          newid() = newid()                    | F
          newid() <> id                        | T
          set = 1 and remove IS NULL           | U
          """)
  @Rule({"S-334", "S-335", "S-336", "S-337", "S-338", "S-339", "S-340", "S-342", "S-345"})
  void names(String condition, String truth) {
    assertThat(truth(condition, message)).isEqualTo(truth);
  }

  @Test
  @Rule("S-339")
  void aDoubleQuoteInAQuotedNameIsDoubled() {
    assertThat(truth("\"say \"\"it\"\"\" = 1", message)).isEqualTo("T");
  }

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          9223372036854775807 = most           | T
          -9223372036854775808 = least         | T
          9007199254740993 = big               | T
          2.0 = 2                              | T
          .5 = rate                            | T
          5. = 5                               | T
          101.5E5 = 10150000                   | T
          0.5E-2 = 0.005                       | T
          1e+2 = 100                           | T
          TRUE = true                          | T
          '' = ''                              | T
          7 / 2 = 3                            | T
          7.0 / 2 = 3.5                        | T
          """)
  @Rule("S-341")
  void constants(String condition, String truth) {
    assertThat(truth(condition, message)).isEqualTo(truth);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          sys.Colour = 1                    | there is no system property sys.Colour
          EXISTS(sys.Colour)                | there is no system property sys.Colour
          sys.Body IS NULL                  | there is no system property sys.Body
          sys.Colour IS NULL                | there is no system property sys.Colour
          1 / 0 = 1                         | a number is divided by zero
          quantity % 0 = 1                  | a number is divided by zero
          price / 0.0 = 1                   | a number is divided by zero
          amount / 0 = 1                    | a number is divided by zero
          most + 1 = 0                      | the result of + is too large
          least - 1 = 0                     | the result of - is too large
          most * 2 = 0                      | the result of * is too large
          least / -1 = 0                    | the result of / is too large
          -least = 0                        | the result of - is too large
          end + span = end                  | the result of + is too far away
          color - 1 = 0                     | - is not defined for TEXT and LONG
          color * color = 0                 | * is not defined for TEXT and TEXT
          flag + flag = 1                   | + is not defined for BOOLEAN and BOOLEAN
          moment + moment = moment          | + is not defined for TIMESTAMP and TIMESTAMP
          span - moment = span              | - is not defined for DURATION and TIMESTAMP
          span * span = span                | * is not defined for DURATION and DURATION
          moment - 1 = moment               | - is not defined for TIMESTAMP and LONG
          1 - moment = moment               | - is not defined for LONG and TIMESTAMP
          color + list = 'x'                | + is not defined for TEXT and OTHER
          list + color = 'x'                | + is not defined for OTHER and TEXT
          -color = 1                        | a value of type TEXT has no sign
          +flag = 1                         | a value of type BOOLEAN has no sign
          flag > FALSE                      | values of type BOOLEAN have no order: use = or <>
          id < id                           | values of type GUID have no order: use = or <>
          quantity LIKE '1%'                | LIKE compares texts, and a value of type INT
          quantity LIKE color               | LIKE compares texts, and a value of type INT
          color LIKE quantity               | LIKE compares texts, and a value of type INT
          color LIKE 'x' ESCAPE size        | the escape of LIKE is one character
          color LIKE path ESCAPE 'b'        | the pattern of LIKE ends with its escape character
          property(quantity) = 1            | property() takes a text, not a value of type INT
          """)
  @Rule({"S-322", "S-345", "S-346", "S-354", "S-357"})
  void whatCannotBeEvaluatedFailsWithASentence(String condition, String sentence) {
    assertThat(truth(condition, message)).isEqualTo(sentence);
  }

  @Test
  @Rule({"S-357", "S-348"})
  void aConditionIsReadFromLeftToRightAndNoFurtherThanItDecides() {
    assertThat(truth("1 = 1 OR 1 / 0 = 1", message)).isEqualTo("T");
    assertThat(truth("1 = 0 AND 1 / 0 = 1", message)).isEqualTo("F");
    assertThat(truth("color IN ('red', 1 / 0)", message)).isEqualTo("T");
    assertThat(truth("gone = 1 / 0", message)).isEqualTo("U");
  }

  @Test
  @Rule("S-357")
  void aJoinedTextHasAnEnd() {
    var long31k = SampleMessage.empty().with("a", FilterValue.of("x".repeat(16 << 10)));

    assertThat(truth("a + a LIKE 'x%'", long31k)).isEqualTo("T");
    assertThat(truth("a + a + 'y' = ''", long31k))
        .isEqualTo("a joined text is longer than 32768 bytes");
  }

  @Test
  @Rule("S-357")
  void aComputedPatternHasAnEnd() {
    var message = SampleMessage.empty().with("a", FilterValue.of("%".repeat(4_096)));

    assertThat(truth("'x' LIKE a", message)).isEqualTo("T");
    assertThat(truth("'x' LIKE a + 'x'", message))
        .isEqualTo("the pattern of LIKE is longer than 4096 bytes");
  }

  @Test
  @Rule("S-342")
  void newIdsAreVersionFourAndTheSameForTheSameSeed() {
    var changes = new PropertyChanges();
    var again = new PropertyChanges();
    var action = Filters.action("SET a = newid(); SET b = newid(); SET c = newid() + ''").ready();

    assertThat(action.apply(message, 5, changes, new ActionBudget(1))).isNull();
    assertThat(action.apply(message, 5, again, new ActionBudget(1))).isNull();

    assertThat(changes.value(0).type()).isEqualTo(ValueType.GUID);
    assertThat(changes.value(0)).isEqualTo(again.value(0)).isNotEqualTo(changes.value(1));
    assertThat(changes.value(2).text())
        .matches("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
    assertThat(action.apply(message, 6, again, new ActionBudget(1))).isNull();
    assertThat(changes.value(0)).isNotEqualTo(again.value(0));
  }

  @Test
  void aFilterIsWhatItWasMadeOf() {
    SqlFilter filter = sql("color = @text");

    assertThat(filter.text()).isEqualTo("color = @text").hasToString(filter.toString());
    assertThat(filter.parameters()).isEqualTo(SampleMessage.parameters());
    assertThat(filter).isEqualTo(sql("color = @text")).hasSameHashCodeAs(sql("color = @text"));
    assertThat(filter).isNotEqualTo(sql("color = 'red'")).isNotEqualTo("color = @text");
    assertThat(filter)
        .isNotEqualTo(
            Filters.done(
                SqlFilter.parse(
                    "color = @text",
                    java.util.Map.of("text", FilterValue.of("blue")),
                    FilterLimits.STANDARD)));
  }

  @Test
  @Rule("S-343")
  void parametersAreCopied() {
    var value = FilterValue.of("red");
    var filter =
        Filters.done(
            SqlFilter.parse("color = @c", java.util.Map.of("@C", value), FilterLimits.STANDARD));

    value.setText("blue");

    assertThat(selects(filter, message)).isTrue();
  }
}
