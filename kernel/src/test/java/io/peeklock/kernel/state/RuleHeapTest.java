package io.peeklock.kernel.state;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.columns.HeldMemory;
import io.peeklock.kernel.columns.StoredMemory;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueEntry;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.RuleWeight;
import io.peeklock.kernel.filter.CorrelationFilter;
import io.peeklock.kernel.filter.Filter;
import io.peeklock.kernel.filter.FilterLimits;
import io.peeklock.kernel.filter.FilterSubject;
import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.Parsed;
import io.peeklock.kernel.filter.PropertyName;
import io.peeklock.kernel.filter.SqlAction;
import io.peeklock.kernel.filter.SqlFilter;
import io.peeklock.kernel.filter.SystemProperty;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What rules take of the heap, beside what they are counted for. */
@LongProof
class RuleHeapTest {

  /** The collector's own changes of mind, in a heap of some ten megabytes. */
  private static final double NOISE = 0.05;

  private static SubscriptionState subscription(TopicState topic) {
    QueueDefinition definition = QueueDefinition.named("a/Subscriptions/b");
    QueueEntry entry = new QueueEntry(new QueueId(1), new QueueId(2), definition, 1, 1);
    return topic.add(new QueueState(entry, 1, null, new HeldMemory(new StoredMemory()), 0), false);
  }

  /** Rules of one shape, each made anew. */
  record Shape(String name, int rules, IntFunction<io.peeklock.kernel.entity.Rule> maker) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static <T> T done(Parsed<T> parsed) {
    return switch (parsed) {
      case Parsed.Done<T> done -> done.value();
      case Parsed.Wrong<T> wrong -> throw new AssertionError(wrong.problem().toString());
    };
  }

  private static Shape sql(String name, int rules, String text) {
    return sql(name, rules, text, new TreeMap<>());
  }

  private static Shape sql(String name, int rules, String text, Map<String, FilterValue> values) {
    // a blank more, for a text of its own
    return of(
        name, rules, number -> done(SqlFilter.parse(text + " ", values, FilterLimits.CEILING)));
  }

  private static Shape of(String name, int rules, IntFunction<Filter> filter) {
    return new Shape(
        name,
        rules,
        number ->
            new io.peeklock.kernel.entity.Rule("Rule" + number, filter.apply(number), null, 1));
  }

  private static Shape action(String name, int rules, String text) {
    return new Shape(
        name,
        rules,
        number ->
            new io.peeklock.kernel.entity.Rule(
                "r" + number,
                new Filter.False(),
                done(SqlAction.parse(text + " ", FilterLimits.CEILING)),
                1));
  }

  private static String parts(int count, String part, String between) {
    return IntStream.range(0, count)
        .mapToObj(number -> part.replace("#", Integer.toString(number)))
        .collect(joining(between));
  }

  private static Map<String, FilterValue> values(int count, IntFunction<FilterValue> value) {
    Map<String, FilterValue> values = new TreeMap<>();
    IntStream.range(0, count).forEach(number -> values.put("@p" + number, value.apply(number)));
    return values;
  }

  private static Map<String, String> attributes(int rule) {
    Map<String, String> attributes = new TreeMap<>();
    IntStream.range(0, 1_000)
        .forEach(number -> attributes.put("Filter//@p" + number, "2026-01-01T00:00:" + rule));
    return attributes;
  }

  private static CorrelationFilter correlation(
      Map<SystemProperty, String> system, Map<String, FilterValue> user) {
    return done(CorrelationFilter.of(new TreeMap<>(system), new TreeMap<>(user)));
  }

  private static final BigDecimal LONG = new BigDecimal("1234567890".repeat(4));

  static Stream<Shape> ordinary() {
    return Stream.of(
        of("all", 30_000, number -> new Filter.True()),
        of(
            "a label",
            30_000,
            number -> correlation(Map.of(SystemProperty.LABEL, "v" + number), Map.of())),
        of(
            "a property",
            30_000,
            number -> correlation(Map.of(), Map.of("a", FilterValue.of(number)))),
        of(
            "four properties",
            10_000,
            number ->
                correlation(
                    Map.of(SystemProperty.LABEL, "v" + number, SystemProperty.TO, "here"),
                    Map.of("a", FilterValue.of(number), "b", FilterValue.of("b")))),
        sql("a comparison", 10_000, "color = 'red' AND size > 3"),
        sql("a label that begins so", 10_000, "sys.Label LIKE 'orders.%'"),
        action("a change", 10_000, "SET priority = 'low'; REMOVE owner"));
  }

  static Stream<Shape> hostile() {
    return Stream.of(
        of(
            "own names",
            10_000,
            number -> correlation(Map.of(), Map.of("a" + number, FilterValue.of(1)))),
        of(
            "long texts",
            100,
            number ->
                correlation(Map.of(SystemProperty.TO, number + "\u4e2d".repeat(50_000)), Map.of())),
        sql("OR", 15, parts(3_333, "a=1", " OR ")),
        sql("OR of names", 15, parts(3_333, "a#=1", " OR ")),
        sql("IN", 15, "a IN (" + parts(9_990, "#", ",") + ")"),
        sql("IN texts", 15, "a IN (" + parts(9_000, "'#'", ",") + ")"),
        sql("LIKE", 15, parts(2_500, "a LIKE '%a_#'", " OR ")),
        sql("LIKE with escapes", 15, parts(1_800, "a LIKE '%!%a_#' ESCAPE '!'", " OR ")),
        sql("long LIKE", 1_000, "a LIKE '" + "!%".repeat(2_000) + "' ESCAPE '!'"),
        sql("sums", 15, parts(900, "(a+b*#)>-c", " OR ")),
        sql("a long sum", 15, parts(4_900, "a", "+") + "=1"),
        sql("nested", 30, parts(700, "p(p(p('x'+a)))=newid()", " OR ")),
        sql("known names", 15, parts(2_400, "p('x#')=1", " OR ")),
        sql("there or not", 15, parts(1_500, "NOT EXISTS(a) AND b IS NOT NULL", " OR ")),
        sql("signs", 30, parts(80, "- ".repeat(100) + "a=1", " OR ")),
        sql("nothing of the broker's", 15, parts(3_000, "sys.x#=1", " OR ")),
        sql("parameters", 15, parts(2_000, "a=@p#", " OR "), values(2_000, FilterValue::of)),
        sql(
            "decimals",
            15,
            parts(2_000, "a=@p#", " OR "),
            values(2_000, number -> new FilterValue().setDecimal(LONG))),
        sql("wide", 100, "a='" + "\u4e2d".repeat(40_000) + "'"),
        sql("a long name", 100, "[" + "n".repeat(60_000) + "]=1"),
        new Shape(
            "attributes",
            100,
            number ->
                new io.peeklock.kernel.entity.Rule(
                    "r" + number, new Filter.False(), null, 1, attributes(number))),
        action("many changes", 15, parts(1_000, "SET a#=b#+1", ";")),
        action("few changes of much", 1_000, "SET a='" + "x".repeat(10_000) + "'"));
  }

  private static long live() {
    for (int round = 0; round < 4; round++) { // the serial collector is thorough in each fourth
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** What rules of a shape take, and what they are counted for. */
  private record Taken(long bytes, long counted) {}

  private static Taken take(Shape shape) {
    StoredMemory memory = new StoredMemory(); // nothing is kept by the test's object
    TopicState topic = new TopicState(false, memory);
    SubscriptionState subscription = subscription(topic);
    long before = live();
    for (int number = 0; number < shape.rules(); number++) {
      subscription.add(shape.maker().apply(number));
    }
    topic.rules().match(message("x"), 1);
    long taken = live() - before;
    assertThat(subscription.rules()).hasSize(shape.rules());
    return new Taken(taken, memory.rules());
  }

  @ParameterizedTest
  @MethodSource({"ordinary", "hostile"})
  @Rule({"I-46", "S-365"})
  void aRuleTakesNoMoreThanItIsCountedFor(Shape shape) {
    Taken taken = take(shape);

    assertThat(taken.bytes()).isLessThan((long) (taken.counted() * (1 + NOISE)));
  }

  @ParameterizedTest
  @MethodSource("ordinary")
  @Rule({"I-46", "S-365"})
  void anOrdinaryRuleIsCountedForNoMoreThanTwiceWhatItTakes(Shape shape) {
    Taken taken = take(shape);

    assertThat(taken.counted()).isLessThan(2 * taken.bytes());
  }

  /** Their names and cells are shared, and would else outlive them. */
  @Test
  @Rule("I-46")
  void rulesThatAreGoneAreCountedForNothing() {
    List<io.peeklock.kernel.entity.Rule> some =
        hostile()
            .filter(shape -> shape.rules() == 15)
            .map(shape -> shape.maker().apply(0))
            .toList();
    StoredMemory memory = new StoredMemory();
    TopicState topic = new TopicState(false, memory);
    SubscriptionState subscription = subscription(topic);
    long most = 0;
    for (int round = 0; round < 3; round++) {
      for (io.peeklock.kernel.entity.Rule rule : some) {
        subscription.add(rule);
        most = Math.max(most, memory.rules());
        subscription.remove(rule.name());
        assertThat(memory.rules()).isZero();
      }
    }
    subscription.add(some.getFirst());
    for (io.peeklock.kernel.entity.Rule rule : some) {
      io.peeklock.kernel.entity.Rule other =
          new io.peeklock.kernel.entity.Rule("other", rule.filter(), rule.action(), 1);
      subscription.add(other);
      subscription.remove("other");
      long kept = RuleWeight.mostHeapBytes(some.getFirst());
      assertThat(memory.rules()).as("with cells").isLessThan(kept + 1_000_000);
    }
    topic.close();
    assertThat(memory.rules()).isZero();
    assertThat(most).isGreaterThan(500_000);
  }

  /** Of 100 kB each, in a topic with rules that look at it and change it. */
  @Test
  @Rule("I-46")
  void aMessageThatWasLookedAtIsKeptByNoRule() {
    List<TopicState> topics = new ArrayList<>();
    long before = live();
    for (int i = 0; i < 100; i++) {
      TopicState one = new TopicState(false, new StoredMemory());
      SubscriptionState rules = subscription(one);
      rules.add(
          new io.peeklock.kernel.entity.Rule(
              "r", done(SqlFilter.parse("a + b = sys.Label", FilterLimits.STANDARD)), null, 1));
      one.rules().match(message(i + "x".repeat(100_000)), 1);
      topics.add(one);
    }

    assertThat(live() - before).isLessThan(2_000_000);
    assertThat(topics).hasSize(100);
  }

  private static FilterSubject message(String text) {
    return new FilterSubject() {
      @Override
      public void system(SystemProperty property, FilterValue into) {
        into.setText(text);
      }

      @Override
      public void user(PropertyName name, FilterValue into) {
        into.setText(text);
      }
    };
  }
}
