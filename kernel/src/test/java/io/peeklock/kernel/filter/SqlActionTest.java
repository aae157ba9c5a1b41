package io.peeklock.kernel.filter;

import static io.peeklock.kernel.filter.Filters.action;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.Rule;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What actions make of {@link SampleMessage#full}. */
class SqlActionTest {

  private final SampleMessage message = SampleMessage.full();
  private final PropertyChanges changes = new PropertyChanges();

  private @Nullable FilterValue user(String text, String name) {
    assertThat(action(text).ready().apply(message, 1, changes, new ActionBudget(1))).isNull();
    return changes.of(new PropertyName(name));
  }

  private @Nullable FilterValue system(String text, SystemProperty property) {
    assertThat(action(text).ready().apply(message, 1, changes, new ActionBudget(1))).isNull();
    return changes.of(property);
  }

  private @Nullable String failure(String text) {
    return action(text).ready().apply(message, 1, changes, new ActionBudget(1));
  }

  @Test
  @Rule({"S-358", "S-359", "S-334"})
  void severalStatementsSetAndRemoveWithAndWithoutSemicolons() {
    String text =
        "SET quantity = quantity / 2; remove color set sys.CorrelationId = 'low', SET new = 1;";

    assertThat(action(text).ready().apply(message, 1, changes, new ActionBudget(1))).isNull();

    assertThat(changes.count()).isEqualTo(3);
    assertThat(changes.name(0).text()).isEqualTo("quantity");
    assertThat(changes.value(0)).isEqualTo(new FilterValue().setWhole(ValueType.INT, 6));
    assertThat(changes.name(1)).hasToString("color");
    assertThat(changes.value(1).type()).isEqualTo(ValueType.MISSING);
    assertThat(changes.value(2)).isEqualTo(FilterValue.of(1));
    assertThat(changes.of(SystemProperty.CORRELATION_ID)).isEqualTo(FilterValue.of("low"));
    assertThat(changes.of(SystemProperty.TO)).isNull();
    assertThat(changes.of(new PropertyName("price"))).isNull();
  }

  @Test
  @Rule({"S-358", "S-364"})
  void whatIsMadeReadyOnceKeepsNothingOfTheMessagesBefore() {
    var run = action("SET size = size + 1; SET double = size + size; REMOVE old").ready();
    var later = new PropertyChanges();

    assertThat(
            run.apply(
                SampleMessage.empty().with("size", FilterValue.of(3)),
                1,
                changes,
                new ActionBudget(1)))
        .isNull();
    assertThat(run.apply(SampleMessage.empty(), 1, later, new ActionBudget(1))).isNull();
    assertThat(
            run.apply(
                SampleMessage.empty().with("size", FilterValue.of(5)),
                1,
                later,
                new ActionBudget(1)))
        .isNull();

    assertThat(changes.of(new PropertyName("double"))).isEqualTo(FilterValue.of(8));
    assertThat(later.of(new PropertyName("size"))).isEqualTo(FilterValue.of(6));
    assertThat(later.of(new PropertyName("double"))).isEqualTo(FilterValue.of(12));
    assertThat(later.count()).isEqualTo(3);
  }

  @Test
  @Rule({"S-363", "S-336"})
  void namesIgnoreCaseAndTheChangeIsFoundByTheMessagesOwnSpelling() {
    assertThat(user("SET Quantity = 1; SET QUANTITY = quantity + 1", "quantity"))
        .isEqualTo(new FilterValue().setWhole(ValueType.INT, 2));

    byte[] key = "..quanTity".getBytes(StandardCharsets.UTF_8);
    assertThat(changes.count()).isEqualTo(1);
    assertThat(changes.find(key, 2, 8)).isZero();
    assertThat(changes.find(key, 2, 7)).isEqualTo(-1);
  }

  @Test
  @Rule("S-364")
  void aLaterStatementSeesWhatAnEarlierOneDidAndTheMessageStaysAsItWas() {
    assertThat(user("SET a = quantity; SET quantity = 1; SET b = quantity + a", "b"))
        .isEqualTo(FilterValue.of(13));
    assertThat(user("REMOVE color; SET seen = color", "seen")).isEqualTo(FilterValue.ofNull());
    assertThat(user("SET sys.To = 'x'; SET seen = sys.To", "seen")).isEqualTo(FilterValue.of("x"));
    assertThat(user("REMOVE sys.To; SET seen = sys.To", "seen")).isEqualTo(FilterValue.ofNull());
    assertThat(user("SET seen = sys.To", "seen")).isEqualTo(FilterValue.of("Store5"));
    assertThat(Filters.truth("quantity = 12 AND color = 'red'", message)).isEqualTo("T");
  }

  @Test
  @Rule("S-360")
  void whatTheMessageDoesNotHaveIsUnknownAndRemovingItIsNoError() {
    assertThat(user("SET a = gone + 1", "a")).isEqualTo(FilterValue.ofNull());
    assertThat(user("SET a = NULL", "a")).isEqualTo(FilterValue.ofNull());
    assertThat(user("REMOVE gone", "gone")).isEqualTo(new FilterValue());
    assertThat(system("SET sys.To = gone", SystemProperty.TO)).isEqualTo(new FilterValue());
    assertThat(system("REMOVE sys.Subject", SystemProperty.LABEL)).isEqualTo(new FilterValue());
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          SET a = sys.Colour                   | there is no system property sys.Colour
          SET sys.Colour = 1                   | there is no system property sys.Colour
          REMOVE sys.Colour                    | there is no system property sys.Colour
          SET a = list                         | a list, map or array cannot be set
          SET a = 1 / 0                        | a number is divided by zero
          SET sys.To = moment                  | sys.To cannot hold a value of type TIMESTAMP
          SET sys.TimeToLive = 5               | sys.TimeToLive cannot hold a value of type LONG
          SET sys.TimeToLive = -@span          | sys.TimeToLive must be longer than nothing
          SET sys.ScheduledEnqueueTimeUtc = 'x' | sys.ScheduledEnqueueTimeUtc cannot hold a value of type TEXT
          """)
  @Rule({"S-360", "S-357", "S-345"})
  void whatCannotBeDoneFailsWithASentence(String text, String sentence) {
    assertThat(failure(text)).isEqualTo(sentence);
  }

  @Test
  @Rule("S-357")
  void idsHaveAtMost128Characters() {
    assertThat(failure("SET sys.SessionId = '" + "ä".repeat(128) + "'")).isNull();
    assertThat(failure("SET sys.SessionId = '" + "ä".repeat(129) + "'"))
        .isEqualTo("sys.SessionId has at most 128 characters");
    assertThat(failure("SET sys.To = '" + "ä".repeat(129) + "'")).isNull();
  }

  @Test
  @Rule("S-359")
  void systemPropertiesTakeWhatFitsThem() {
    assertThat(system("SET sys.MessageId = newid()", SystemProperty.MESSAGE_ID))
        .satisfies(id -> assertThat(id.type()).isEqualTo(ValueType.TEXT));
    assertThat(system("SET sys.SessionId = quantity", SystemProperty.SESSION_ID))
        .isEqualTo(FilterValue.of("12"));
    assertThat(system("SET sys.Label = color + '!'", SystemProperty.LABEL))
        .isEqualTo(FilterValue.of("red!"));
    assertThat(system("SET sys.TimeToLive = @span", SystemProperty.TIME_TO_LIVE))
        .isEqualTo(new FilterValue().setDurationTicks(3 * SampleMessage.SECOND));
    assertThat(
            system(
                "SET sys.ScheduledEnqueueTime = sys.EnqueuedTimeUtc + @span",
                SystemProperty.SCHEDULED_ENQUEUE_TIME))
        .isEqualTo(new FilterValue().setTimestampMillis(8_000));
  }

  @Test
  @Rule("S-359")
  void aNumberKeepsTheTypeThatThePropertyHadWhereItFits() {
    assertThat(user("SET quantity = 5", "quantity"))
        .isEqualTo(new FilterValue().setWhole(ValueType.INT, 5));
    assertThat(user("SET quantity = 3000000000", "quantity"))
        .isEqualTo(FilterValue.of(3_000_000_000L));
    assertThat(user("SET quantity = 2.0", "quantity"))
        .isEqualTo(new FilterValue().setWhole(ValueType.INT, 2));
    assertThat(user("SET quantity = 2.5", "quantity")).isEqualTo(FilterValue.of(2.5));
    assertThat(user("SET most = 1e18", "most")).isEqualTo(FilterValue.of(1e18));
    assertThat(user("SET count = -1", "count")).isEqualTo(FilterValue.of(-1));
    assertThat(user("SET count = 255", "count"))
        .isEqualTo(new FilterValue().setWhole(ValueType.UBYTE, 255));
    assertThat(user("SET price = 3", "price")).isEqualTo(FilterValue.of(3.0));
    assertThat(user("SET rate = rate * 3", "rate")).isEqualTo(new FilterValue().setFloat(1.5f));
    assertThat(user("SET amount = 3", "amount"))
        .isEqualTo(new FilterValue().setDecimal(BigDecimal.valueOf(3)));
    assertThat(user("SET amount = 0.5", "amount")).isEqualTo(FilterValue.of(0.5));
    assertThat(user("SET quantity = amount", "quantity"))
        .isEqualTo(new FilterValue().setDecimal(new BigDecimal("1.10")));
  }

  @Test
  @Rule("S-359")
  void otherKindsReplaceAndTextsStayTexts() {
    assertThat(user("SET quantity = 'many'", "quantity")).isEqualTo(FilterValue.of("many"));
    assertThat(user("SET flag = 1", "flag")).isEqualTo(FilterValue.of(1));
    assertThat(user("SET color = 5", "color")).isEqualTo(FilterValue.of("5"));
    assertThat(user("SET color = moment", "color"))
        .isEqualTo(new FilterValue().setTimestampMillis(1_000));
    assertThat(user("SET quantity = NULL", "quantity")).isEqualTo(FilterValue.ofNull());
    assertThat(user("SET b = bytes", "b"))
        .isEqualTo(new FilterValue().setBinary(new byte[] {1, 2}, 0, 2));
  }

  @Test
  void changesAreEmptiedBeforeTheyAreFilledAndTakeTheNameOfTheRule() {
    assertThat(user("SET a = 1; SET sys.To = 'x'", "a")).isNotNull();
    assertThat(user("SET b = 1", "a")).isNull();
    assertThat(changes.of(SystemProperty.TO)).isNull();

    changes.set(new PropertyName("RuleName"), FilterValue.of("red"));
    changes.set(new PropertyName("B"), FilterValue.of(2));

    assertThat(changes.count()).isEqualTo(2);
    assertThat(changes.value(0)).isEqualTo(FilterValue.of(2));
    assertThat(changes.value(1)).isEqualTo(FilterValue.of("red"));
  }

  @Test
  void anActionIsWhatItWasMadeOf() {
    SqlAction action = action("SET a = @limit");

    assertThat(action.text()).isEqualTo("SET a = @limit").hasToString(action.toString());
    assertThat(action.parameters()).isEqualTo(SampleMessage.parameters());
    assertThat(action)
        .isEqualTo(action("SET a = @limit"))
        .hasSameHashCodeAs(action("SET a = @limit"))
        .isNotEqualTo(action("SET a = 1"))
        .isNotEqualTo("SET a = @limit");
    var none = Filters.done(SqlAction.parse("SET a = 1", FilterLimits.STANDARD));
    assertThat(none).isNotEqualTo(action("SET a = 1"));
  }
}
