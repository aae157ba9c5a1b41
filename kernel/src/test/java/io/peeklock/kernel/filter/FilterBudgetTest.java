package io.peeklock.kernel.filter;

import static io.peeklock.kernel.filter.Filters.done;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.Rule;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What rules may cost for one message: nobody's rule takes what is another's. */
@Rule({"I-46", "S-357"})
class FilterBudgetTest {

  private static final String TOO_MUCH = "the evaluation takes more steps than a rule has";

  private final RuleTable table = new RuleTable();
  private final RuleMatches matches = new RuleMatches();
  private final SampleMessage message =
      SampleMessage.empty()
          .with("p", FilterValue.of("a".repeat(32 << 10)))
          .with("sign", FilterValue.of("!"))
          .with("color", FilterValue.of("red"));

  private static SqlFilter sql(String text, FilterValue parameter) {
    return done(SqlFilter.parse(text, Map.of("q", parameter), FilterLimits.STANDARD));
  }

  private static SqlFilter bomb() {
    FilterValue pattern = FilterValue.of("%" + "a".repeat(4_000) + "b%");
    return sql("p LIKE @q" + " OR p LIKE @q".repeat(15), pattern);
  }

  private List<Integer> match() {
    table.match(message, 1, matches);
    return IntStream.range(0, matches.count()).map(matches::rule).boxed().toList();
  }

  private List<Integer> failed() {
    return IntStream.range(0, matches.failedCount()).map(matches::failedRule).boxed().toList();
  }

  @Test
  void aFilterThatTakesTooManyStepsFailsAndSaysSo() {
    table.add(1, bomb());
    table.add(2, Filters.sql("color = 'red'"));

    assertThat(match()).containsExactly(2);
    assertThat(failed()).containsExactly(1);
    assertThat(matches.failure(0)).isEqualTo(TOO_MUCH);
  }

  @Test
  void allRulesTogetherTakeNoMoreStepsThanAMessageHas() {
    for (int rule = 0; rule < 2_000; rule++) {
      table.add(rule, bomb());
    }

    assertThat(match()).isEmpty();
    assertThat(matches.failedCount()).isEqualTo(2_000);
    assertThat(table.stepsTaken()).isBetween(450_000L, RuleBudget.STEPS_PER_MESSAGE + 10_000);
  }

  @Test
  void whatOneRuleWastesIsNotTakenFromAnother() {
    List<Integer> sensible = new ArrayList<>();
    for (int rule = 0; rule < 1_030; rule++) {
      if (rule % 35 == 0) {
        table.add(rule, bomb());
      } else if (rule == 700) {
        table.add(rule, Filters.sql("p LIKE '%a' AND color LIKE '%e%' AND p NOT LIKE '%b%'"));
        sensible.add(rule);
      } else {
        table.add(rule, Filters.sql("color LIKE 'r%' AND size IS NULL AND color <> 'blue'"));
        sensible.add(rule);
      }
    }
    sensible.remove(Integer.valueOf(700)); // it needs 65,000 steps, which it has beside few others

    assertThat(match()).containsAll(sensible);
    assertThat(failed()).allMatch(rule -> rule % 35 == 0 || rule == 700);
  }

  @Test
  void whatCheapRulesLeaveIsForThoseThatNeedMore() {
    for (int rule = 0; rule < 1_000; rule++) {
      table.add(rule, Filters.sql("color = 'red' AND size IS NULL"));
    }
    table.add(5_000, Filters.sql("p NOT LIKE '%b%'"));
    table.add(5_001, Filters.sql("p NOT LIKE '%c%'"));
    table.add(5_002, bomb());
    for (int rule = 6_000; rule < 6_500; rule++) {
      table.add(rule, Filters.sql("color = 'red' AND size IS NULL"));
    }

    assertThat(match()).hasSize(1_502).contains(5_000, 5_001);
    assertThat(failed()).containsExactly(5_002);
  }

  @Test
  void comparingJoiningAndReadingAreCounted() {
    FilterValue large = FilterValue.of("a".repeat(30 << 10));
    table.add(1, sql("p = @q" + " OR p = @q".repeat(95), large));
    table.add(2, sql("p IN (@q" + ", @q".repeat(190) + ")", large));
    table.add(3, sql("'' + @q" + " + ''".repeat(150) + " = 'a'", large));
    table.add(4, sql("EXISTS(p('' + @q))" + " OR EXISTS(p('' + @q))".repeat(40), large));
    table.add(5, Filters.sql("-1 + newid() = 'x' OR NOT EXISTS(color)"));

    assertThat(match()).isEmpty();
    assertThat(failed()).contains(3, 4);
    assertThat(table.stepsTaken()).isBetween(300_000L, RuleBudget.STEPS_PER_MESSAGE + 10_000);
  }

  @Test
  void aPatternThatIsMadeReadyForEachMessageIsCountedByItsBytes() {
    FilterValue pattern = FilterValue.of("b".repeat(4_000));
    table.add(1, sql("p LIKE @q ESCAPE sign" + " OR p LIKE @q ESCAPE sign".repeat(20), pattern));

    match();

    assertThat(table.stepsTaken()).isGreaterThanOrEqualTo(21 * 4_000);
  }

  @Test
  void readingAMessageOfManyPropertiesIsCountedOnce() {
    message.readCost = 200_000;
    table.add(1, Filters.sql("color = 'red'"));
    table.add(2, Filters.sql("color = 'red' AND other IS NULL"));

    assertThat(match()).containsExactly(1, 2);

    table.add(3, Filters.sql("a = 1 OR b = 1 OR c = 1 OR d = 1"));
    match();
    assertThat(failed()).containsExactly(3);
  }

  private static CorrelationFilter correlation(String name, String value) {
    return correlation(name, FilterValue.of(value));
  }

  private static CorrelationFilter correlation(String name, FilterValue value) {
    return done(CorrelationFilter.of(Map.of(), Map.of(name, value)));
  }

  @Test
  @Rule({"S-326", "S-365"})
  void correlationFiltersThatAskForEverMorePropertiesAreCountedToo() {
    message.readCost = 4_000;
    for (int rule = 0; rule < 20_000; rule++) {
      table.add(rule, correlation("name" + rule, "red"));
    }
    table.add(30_000, correlation("color", "red"));
    table.add(30_001, Filters.sql("color = 'red' AND size IS NULL"));

    match();

    assertThat(message.reads).isLessThanOrEqualTo((int) RuleBudget.STEPS_PER_MESSAGE / 4_000);
    assertThat(table.stepsTaken()).isLessThan(RuleBudget.STEPS_PER_MESSAGE + 10_000);
    assertThat(failed()).hasSizeGreaterThan(19_700);
    message.readCost = 1;
    assertThat(match()).containsExactly(30_000, 30_001);
    assertThat(failed()).isEmpty();
  }

  @Test
  @Rule({"S-326", "S-365"})
  void correlationFiltersOfOneHashAreCountedOneByOne() {
    for (int rule = 0; rule < 2_000; rule++) { // all of them meet as one double
      BigDecimal value = BigDecimal.ONE.add(BigDecimal.valueOf(rule, 40));
      table.add(rule, correlation("n", new FilterValue().setDecimal(value)));
    }
    table.add(400_000, correlation("color", "red"));

    message.with("n", FilterValue.of(1L));
    assertThat(match()).containsExactly(0, 400_000);
    assertThat(table.stepsTaken()).isBetween(2_000L, 2_100L);

    message.with("n", FilterValue.of(2L));
    assertThat(match()).containsExactly(400_000);
    assertThat(table.stepsTaken()).isLessThan(10);
  }

  @Test
  @Rule("S-195")
  void aFaultWhileOneRuleIsEvaluatedIsItsFailureAndNoOnesElse() {
    message.unreadable = "broken";
    table.add(1, Filters.sql("broken = 'x'"));
    table.add(2, Filters.sql("color = 'red'"));
    table.add(3, correlation("broken", "x"));
    table.add(4, correlation("color", "red"));
    table.add(5, Filters.sql("broken IS NULL"));
    table.add(6, new Filter.True());

    assertThat(match()).containsExactly(2, 4, 6);
    assertThat(failed()).containsExactlyInAnyOrder(1, 3, 5);
    assertThat(matches.failure(0)).isEqualTo("the evaluation failed: IllegalStateException");
  }

  @Test
  @Rule({"S-195", "S-361"})
  void aFaultWhileAnActionWorksIsItsFailure() {
    message.unreadable = "broken";

    assertThat(
            Filters.action("SET a = broken")
                .ready()
                .apply(message, 1, new PropertyChanges(), new ActionBudget(1)))
        .isEqualTo("the evaluation failed: IllegalStateException");
  }

  @Test
  @Rule("S-330")
  void namesOfOneHashAreToldApartByTheirOrder() {
    var az = new PropertyName("azAZ");
    var same = new PropertyName("AZaz");
    var other = new PropertyName("b[az");
    assertThat(az.hashCode()).isEqualTo(other.hashCode());

    assertThat(az).isEqualByComparingTo(same).isEqualTo(same);
    assertThat(az.compareTo(other)).isEqualTo(-other.compareTo(az)).isNotZero();
    assertThat(new PropertyName("k").compareTo(new PropertyName("\u212a"))).isNotZero();
  }

  @Test
  @Rule("S-365")
  void aPatternIsKeptAsItIsWrittenHoweverManySignsItHas() {
    var parameters = new TreeMap<String, FilterValue>();
    parameters.put("q", FilterValue.of("%a".repeat(2_000) + "%"));
    for (int rule = 0; rule < 100; rule++) { // 70 times a pattern of 2,000 runs in each
      String text = "p LIKE @q" + " OR p LIKE @q".repeat(69);
      table.add(rule, done(SqlFilter.parse(text, parameters, FilterLimits.STANDARD)));
    }

    assertThat(match()).hasSize(100);
  }

  @Test
  @Rule("S-361")
  void anActionMakesNoMoreThanItMay() {
    FilterValue large = FilterValue.of("a".repeat(30 << 10));
    var text = "SET a = @q; SET b = @q; SET c = @q";
    var action = done(SqlAction.parse(text, Map.of("q", large), FilterLimits.STANDARD)).ready();

    assertThat(action.apply(message, 1, new PropertyChanges(), new ActionBudget(1)))
        .isEqualTo("the action makes more than 65536 bytes");

    text = "SET a = @q; SET b = 1; SET a = 2; REMOVE color; SET sys.To = @q";
    action = done(SqlAction.parse(text, Map.of("q", large), FilterLimits.STANDARD)).ready();
    assertThat(action.apply(message, 1, new PropertyChanges(), new ActionBudget(1))).isNull();
  }

  @Test
  @Rule("S-361")
  void allActionsTogetherMakeNoMoreThanAMessageHas() {
    FilterValue large = FilterValue.of("a".repeat(30 << 10));
    var greedy =
        done(SqlAction.parse("SET a = @q", Map.of("q", large), FilterLimits.STANDARD)).ready();
    var modest = Filters.action("SET a = color + '!'; SET b = 1").ready();
    var budget = new ActionBudget(1_000);
    var changes = new PropertyChanges();
    int made = 0;

    for (int i = 0; i < 500; i++) {
      made += greedy.apply(message, 1, changes, budget) == null ? 1 : 0;
      assertThat(modest.apply(message, 1, changes, budget)).isNull();
    }

    assertThat(made).isLessThan((int) (RuleBudget.BYTES_PER_MESSAGE / (30 << 10)));
  }

  @Test
  @Rule("S-361")
  void anActionThatTakesTooManyStepsFails() {
    FilterValue large = FilterValue.of("a".repeat(30 << 10));
    String text = "SET a = '' + @q" + " + ''".repeat(150);

    var action = done(SqlAction.parse(text, Map.of("q", large), FilterLimits.STANDARD)).ready();

    assertThat(action.apply(message, 1, new PropertyChanges(), new ActionBudget(1)))
        .isEqualTo(TOO_MUCH);
  }
}
