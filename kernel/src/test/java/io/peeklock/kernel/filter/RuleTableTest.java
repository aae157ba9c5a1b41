package io.peeklock.kernel.filter;

import static io.peeklock.kernel.filter.Filters.selects;
import static io.peeklock.kernel.filter.Filters.sql;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.proof.Rule;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Correlation filters, and many rules together. */
class RuleTableTest {

  private final RuleTable table = new RuleTable();
  private final RuleMatches matches = new RuleMatches();

  private List<Integer> match(FilterSubject message) {
    table.match(message, 1, matches);
    return IntStream.range(0, matches.count()).map(matches::rule).boxed().toList();
  }

  private static CorrelationFilter correlation(SystemProperty property, String text) {
    var system = new EnumMap<SystemProperty, String>(SystemProperty.class);
    system.put(property, text);
    return Filters.done(CorrelationFilter.of(system, new TreeMap<>()));
  }

  private static CorrelationFilter correlation(Object... namesAndValues) {
    var user = new LinkedHashMap<String, FilterValue>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      user.put((String) namesAndValues[i], (FilterValue) namesAndValues[i + 1]);
    }
    return Filters.done(CorrelationFilter.of(new TreeMap<>(), user));
  }

  @Test
  @Rule("S-323")
  void trueSelectsEverythingAndFalseNothing() {
    assertThat(selects(new Filter.True(), SampleMessage.empty())).isTrue();
    assertThat(selects(new Filter.False(), SampleMessage.empty())).isFalse();
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "MESSAGE_ID",
        "CORRELATION_ID",
        "TO",
        "REPLY_TO",
        "LABEL",
        "SESSION_ID",
        "REPLY_TO_SESSION_ID",
        "CONTENT_TYPE"
      })
  @Rule({"S-326", "S-328"})
  void aCorrelationFilterAsksForEightSystemProperties(SystemProperty property) {
    CorrelationFilter filter = correlation(property, "Red");

    assertThat(selects(filter, SampleMessage.empty().with(property, FilterValue.of("Red"))))
        .isTrue();
    assertThat(selects(filter, SampleMessage.empty().with(property, FilterValue.of("red"))))
        .isFalse();
    assertThat(selects(filter, SampleMessage.empty())).isFalse();
    assertThat(
            selects(filter, SampleMessage.empty().with(property.sqlName(), FilterValue.of("Red"))))
        .as("an application property of that name is another thing")
        .isFalse();
  }

  @Test
  @Rule("S-326")
  void aCorrelationFilterAsksForAllOfItsProperties() {
    var system = new EnumMap<SystemProperty, String>(SystemProperty.class);
    system.put(SystemProperty.LABEL, "bus stop");
    system.put(SystemProperty.TO, "Store5");
    Map<String, FilterValue> user = new TreeMap<>();
    user.put("color", FilterValue.of("red"));
    user.put("quantity", FilterValue.of(12));
    var filter = Filters.done(CorrelationFilter.of(system, user));

    assertThat(selects(filter, SampleMessage.full())).isTrue();
    assertThat(selects(filter, SampleMessage.full().with("quantity", FilterValue.of(13))))
        .isFalse();
    assertThat(selects(filter, SampleMessage.full().with("color", new FilterValue()))).isFalse();
    assertThat(selects(filter, SampleMessage.full().with(SystemProperty.TO, FilterValue.of("x"))))
        .isFalse();
  }

  @Test
  @Rule("S-327")
  void aCorrelationFilterWithoutAnyPropertyIsRefused() {
    assertThat(Filters.problem(CorrelationFilter.of(new TreeMap<>(), new TreeMap<>())))
        .isEqualTo("a correlation filter needs at least one property");
    assertThatThrownBy(() -> correlation(SystemProperty.SEQUENCE_NUMBER, "1"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @Rule({"S-329", "S-356"})
  void aCorrelationFilterMatchesNumbersByValueAndNoTextThatLooksLikeOne() {
    CorrelationFilter two = correlation("n", FilterValue.of(2));
    CorrelationFilter twoAsDouble = correlation("n", FilterValue.of(2.0));

    for (CorrelationFilter filter : List.of(two, twoAsDouble)) {
      for (FilterValue value :
          List.of(
              FilterValue.of(2),
              FilterValue.of(2.0),
              new FilterValue().setWhole(ValueType.UBYTE, 2),
              new FilterValue().setFloat(2),
              new FilterValue().setUnsigned(2),
              new FilterValue().setDecimal(new BigDecimal("2.00")))) {
        assertThat(selects(filter, SampleMessage.empty().with("n", value))).isTrue();
      }
      for (FilterValue value :
          List.of(
              FilterValue.of("2"),
              FilterValue.of(3),
              FilterValue.of(true),
              FilterValue.ofNull(),
              new FilterValue().setTimestampTicks(2),
              new FilterValue().setOther())) {
        assertThat(selects(filter, SampleMessage.empty().with("n", value))).isFalse();
      }
    }
    var zero = correlation("n", FilterValue.of(0));
    assertThat(selects(zero, SampleMessage.empty().with("n", FilterValue.of(-0.0)))).isTrue();
    var nan = correlation("n", FilterValue.of(Double.NaN));
    assertThat(selects(nan, SampleMessage.empty().with("n", FilterValue.of(Double.NaN)))).isFalse();
    var nothing = correlation("n", FilterValue.ofNull());
    assertThat(selects(nothing, SampleMessage.empty().with("n", FilterValue.ofNull()))).isFalse();
  }

  @Test
  @Rule("S-326")
  void aCorrelationFilterAsksForValuesOfEveryKind() {
    for (String name : List.of("flag", "moment", "span", "id", "bytes", "amount", "huge")) {
      var value = new FilterValue();
      SampleMessage.full().user(new PropertyName(name), value);

      assertThat(selects(correlation(name, value), SampleMessage.full())).as(name).isTrue();
      assertThat(selects(correlation(name, FilterValue.of("x")), SampleMessage.full())).isFalse();
    }
  }

  @Test
  @Rule("S-330")
  void namesInACorrelationFilterIgnoreCase() {
    CorrelationFilter filter = correlation("Color", FilterValue.of("red"));

    assertThat(selects(filter, SampleMessage.empty().with("color", FilterValue.of("red"))))
        .isTrue();
    CorrelationFilter contradiction =
        correlation("Color", FilterValue.of("red"), "color", FilterValue.of("blue"));
    assertThat(selects(contradiction, SampleMessage.full())).isFalse();
    CorrelationFilter twice =
        correlation("Color", FilterValue.of("red"), "color", FilterValue.of("red"));
    assertThat(selects(twice, SampleMessage.full())).isTrue();
  }

  @Test
  @Rule({"S-326", "S-331"})
  void matchesAscendWhateverTheKindOfTheirFilters() {
    table.add(9, new Filter.True());
    table.add(4, sql("color = 'red'"));
    table.add(6, correlation("color", FilterValue.of("red")));
    table.add(2, new Filter.False());
    table.add(1, sql("color = 'blue'"));
    table.add(3, correlation("color", FilterValue.of("blue")));
    table.add(5, correlation("COLOR", FilterValue.of("red")));

    assertThat(match(SampleMessage.full())).containsExactly(4, 5, 6, 9);
    assertThat(table.size()).isEqualTo(7);
    assertThat(table.sqlFilters()).isEqualTo(2);
    assertThat(table.correlationFilters()).isEqualTo(3);
    assertThat(table.filter(2)).isEqualTo(new Filter.False());
    assertThat(table.filter(8)).isNull();

    assertThat(table.remove(5)).isTrue();
    assertThat(table.remove(9)).isTrue();
    assertThat(table.remove(4)).isTrue();
    assertThat(table.remove(4)).isFalse();
    assertThat(match(SampleMessage.full())).containsExactly(6);
    assertThat(table.sqlFilters()).isEqualTo(1);
    assertThat(table.correlationFilters()).isEqualTo(2);
    assertThatThrownBy(() -> table.add(6, new Filter.True())).hasMessage("rule 6 is there already");
  }

  @Test
  @Rule("S-357")
  void aRuleThatFailsIsToldAndDisturbsNoOther() {
    for (int rule = 0; rule < 12; rule++) {
      table.add(rule, sql(rule % 2 == 0 ? "1 / 0 = " + rule : "1 = 1"));
    }

    assertThat(match(SampleMessage.empty())).containsExactly(1, 3, 5, 7, 9, 11);
    assertThat(matches.failedCount()).isEqualTo(6);
    assertThat(matches.failedRule(5)).isEqualTo(10);
    assertThat(matches.failure(5)).isEqualTo("a number is divided by zero");

    for (int rule = 0; rule < 12; rule++) {
      table.remove(rule);
    }
    assertThat(match(SampleMessage.empty())).isEmpty();
    assertThat(matches.failedCount()).isZero();
  }

  @Test
  @Rule("S-326")
  void aPropertyIsReadOnceForAllRulesAndAFilterOfManyIsFoundWithoutTryingThem() {
    for (int rule = 0; rule < 2_000; rule++) {
      table.add(rule, correlation("tenant", FilterValue.of("t" + rule)));
    }
    for (int rule = 2_000; rule < 2_100; rule++) {
      table.add(rule, sql("Tenant = 'x' AND other = 2 OR tenant = 't77' AND sys.To = 'a'"));
    }
    var message = SampleMessage.empty().with("tenant", FilterValue.of("t77"));

    assertThat(match(message)).containsExactly(77);

    assertThat(message.reads).as("tenant and sys.To").isEqualTo(2);
  }

  @Test
  void namesThatNobodyAsksForAnyMoreAreForgotten() {
    for (int round = 0; round < 200; round++) {
      table.add(round, sql("name" + round + " = 1"));
      table.add(1_000 + round, correlation("tag" + round, FilterValue.of(round)));
      if (round >= 10) {
        assertThat(table.remove(round - 10)).isTrue();
        assertThat(table.remove(1_000 + round - 10)).isTrue();
      }
    }

    assertThat(table.size()).isEqualTo(20);
    assertThat(table.sqlFilters()).isEqualTo(10);
    assertThat(table.correlationFilters()).isEqualTo(10);
    assertThat(table.names()).isLessThan(120);
    assertThat(match(SampleMessage.empty().with("name195", FilterValue.of(1))))
        .containsExactly(195);
    assertThat(match(SampleMessage.empty().with("tag195", FilterValue.of(195))))
        .containsExactly(1_195);
  }

  /** Its tables grow a part at a time, and what leaves it is not looked for. */
  @Test
  @Rule({"S-326", "S-329"})
  void eachOfManyRulesIsFoundWhateverElseCameAndWent() {
    int many = 5_000;
    for (int rule = 0; rule < many; rule++) {
      table.add(rule, correlation("n", FilterValue.of(rule % 3_000)));
    }
    for (int rule = 0; rule < many; rule += 3) {
      assertThat(table.remove(rule)).isTrue();
    }

    for (int n = 0; n < 3_000; n++) {
      var expected = new ArrayList<Integer>();
      IntStream.of(n, n + 3_000).filter(r -> r < many && r % 3 != 0).forEach(expected::add);
      assertThat(match(SampleMessage.empty().with("n", FilterValue.of(n)))).isEqualTo(expected);
    }
  }

  @Test
  @Rule("I-46")
  void aNameThatNobodyUsesAnyMoreLeavesItsPlaceToAnotherOne() {
    table.add(0, sql("kept = 1"));
    long one = table.sharedBytes();
    for (int round = 1; round < 1_000; round++) {
      table.add(round, correlation("name" + round, FilterValue.of(round)));
      assertThat(match(SampleMessage.empty().with("name" + round, FilterValue.of(round))))
          .containsExactly(round);
      assertThat(match(SampleMessage.empty().with("name" + (round - 1), FilterValue.of(round))))
          .isEmpty();
      table.remove(round);
      assertThat(table.names()).isEqualTo(1);
    }
    assertThat(table.sharedBytes()).isLessThan(one + 1_000);
    assertThat(match(SampleMessage.empty().with("kept", FilterValue.of(1)))).containsExactly(0);
  }

  /** The same rules, one by one and by plain comparison, beside the table. */
  @RepeatedTest(30)
  @Rule({"S-326", "S-329", "S-330"})
  void theTableAgreesWithPlainComparison(RepetitionInfo info) {
    var random = new Random(info.getCurrentRepetition());
    var rules = new TreeMap<Integer, CorrelationFilter>();
    for (int step = 0; step < 300; step++) {
      int rule = random.nextInt(100);
      if (rules.containsKey(rule)) {
        rules.remove(rule);
        table.remove(rule);
      } else {
        CorrelationFilter filter = correlation(properties(random));
        rules.put(rule, filter);
        table.add(rule, filter);
      }
      var message = SampleMessage.empty();
      Object[] properties = properties(random);
      for (int i = 0; i < properties.length; i += 2) {
        message.with((String) properties[i], (FilterValue) properties[i + 1]);
      }

      assertThat(match(message)).isEqualTo(plainly(rules, message));
    }
  }

  private static Object[] properties(Random random) {
    var properties = new ArrayList<Object>();
    for (String name : List.of("a", "B", "c")) {
      if (properties.isEmpty() || random.nextInt(3) > 0) {
        properties.add(random.nextBoolean() ? name : name.toUpperCase(java.util.Locale.ROOT));
        properties.add(
            switch (random.nextInt(4)) {
              case 0 -> FilterValue.of(random.nextInt(3));
              case 1 -> FilterValue.of((double) random.nextInt(3));
              case 2 -> FilterValue.of(random.nextBoolean());
              default -> FilterValue.of("t" + random.nextInt(2));
            });
      }
    }
    return properties.toArray();
  }

  private static List<Integer> plainly(
      Map<Integer, CorrelationFilter> rules, SampleMessage message) {
    return rules.entrySet().stream()
        .filter(
            rule ->
                rule.getValue().user().entrySet().stream()
                    .allMatch(wanted -> isThere(message, wanted.getKey(), wanted.getValue())))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static boolean isThere(SampleMessage message, String name, FilterValue wanted) {
    var value = new FilterValue();
    message.user(new PropertyName(name), value);
    return Comparison.comparable(value, wanted) && Comparison.equal(value, wanted);
  }

  @Test
  void aCorrelationFilterIsWhatItWasMadeOf() {
    CorrelationFilter filter = correlation("a", FilterValue.of(1));

    assertThat(filter)
        .isEqualTo(correlation("a", FilterValue.of(1)))
        .hasSameHashCodeAs(correlation("a", FilterValue.of(1)))
        .isNotEqualTo(correlation("a", FilterValue.of(2)))
        .isNotEqualTo(correlation(SystemProperty.TO, "x"))
        .isNotEqualTo("a")
        .hasToString("system {}, user {a=1}");
    assertThat(correlation(SystemProperty.TO, "x").system()).containsKey(SystemProperty.TO);
  }
}
