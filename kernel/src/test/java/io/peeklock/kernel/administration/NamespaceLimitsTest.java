package io.peeklock.kernel.administration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.NamespaceLimits;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueEntry;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.entity.RuleWeight;
import io.peeklock.kernel.filter.CorrelationFilter;
import io.peeklock.kernel.filter.Filter;
import io.peeklock.kernel.filter.FilterLimits;
import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.Parsed;
import io.peeklock.kernel.filter.SqlFilter;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.proof.Rule;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How much a namespace may come to have, and that what it has stays. */
class NamespaceLimitsTest {
  private static final Ticket TICKET = new Ticket() {};
  private static final NamespaceLimits SMALL = new NamespaceLimits(3, 2, 2, 1, false);

  private final Origin operator = new Origin() {};
  private final Machine machine = new Machine();
  private long index;

  private @Nullable Refusal ask(Request request) {
    index++;
    Decision decision = machine.decide(new Stamp(index, index, index), request);
    decision.facts().forEach(fact -> machine.apply(index, fact));
    for (Effect effect : decision.effects()) {
      if (effect instanceof Effect.Refused refused) {
        assertThat(decision.facts()).as("a refusal leaves nothing behind").isEmpty();
        return refused.refusal();
      }
    }
    return null;
  }

  private @Nullable Refusal make(QueueDefinition definition) {
    return ask(new Request.CreateQueue(operator, TICKET, definition));
  }

  private @Nullable Refusal update(QueueDefinition definition) {
    return ask(new EntityRequest.UpdateQueue(operator, TICKET, definition));
  }

  private @Nullable Refusal makeQueue(String path) {
    return make(QueueDefinition.named(path));
  }

  private @Nullable Refusal makeTopic(String path) {
    return make(QueueDefinition.named(path).as(new QueueRole.Topic(false)));
  }

  private static QueueDefinition subscription(String topic, String name) {
    return QueueDefinition.named(topic + "/Subscriptions/" + name)
        .as(new QueueRole.Subscription(topic, true));
  }

  private @Nullable Refusal addRule(String path, String name, Filter filter) {
    return ask(new Request.AddRule(operator, TICKET, idOf(path), rule(name, filter)));
  }

  private QueueId idOf(String path) {
    QueueEntry found =
        machine.queues().stream()
            .filter(entry -> entry.definition().path().equals(path))
            .findFirst()
            .orElseThrow();
    return found.queue();
  }

  private static io.peeklock.kernel.entity.Rule rule(String name, Filter filter) {
    return new io.peeklock.kernel.entity.Rule(name, filter, null, 0);
  }

  private static Filter sql() {
    return done(SqlFilter.parse("a = 1", FilterLimits.STANDARD));
  }

  private static Filter correlation() {
    var user = new TreeMap<String, FilterValue>();
    user.put("a", FilterValue.of("b"));
    return done(CorrelationFilter.of(new TreeMap<>(), user));
  }

  private static <T> T done(Parsed<T> parsed) {
    return switch (parsed) {
      case Parsed.Done<T> done -> done.value();
      case Parsed.Wrong<T> wrong -> throw new AssertionError(wrong.problem());
    };
  }

  @Test
  @Rule("S-437")
  void queuesAndTopicsAreCountedTogetherAndSubscriptionsAreNot() {
    machine.limit(SMALL);

    assertThat(makeQueue("a")).isNull();
    assertThat(makeTopic("b")).isNull();
    assertThat(make(subscription("b", "s"))).isNull();
    assertThat(makeQueue("c")).isNull();
    assertThat(makeQueue("d"))
        .isEqualTo(new Refusal.TooMany("queues and topics of the namespace", 3));
    assertThat(makeTopic("e")).isInstanceOf(Refusal.TooMany.class);
    assertThat(makeQueue("A")).as("it is there already").isNull();
    assertThat(make(subscription("b", "t"))).isNull();
  }

  @Test
  @Rule({"S-440", "S-365"})
  void aTopicHasSoManySubscriptions() {
    makeTopic("a");
    makeTopic("b");
    machine.limit(SMALL);

    assertThat(make(subscription("a", "one"))).isNull();
    assertThat(make(subscription("a", "two"))).isNull();
    assertThat(make(subscription("a", "three")))
        .isEqualTo(new Refusal.TooMany("subscriptions of the topic", 2));
    assertThat(make(subscription("b", "one"))).as("another topic").isNull();
    assertThat(make(subscription("nowhere", "one"))).isEqualTo(new Refusal.EntityNotFound());
  }

  @Test
  @Rule({"S-440", "S-365"})
  void filtersAreCountedByKindOverAllSubscriptionsOfATopic() {
    machine.limit(SMALL);
    makeTopic("a");
    make(subscription("a", "one"));
    make(subscription("a", "two"));
    String one = "a/Subscriptions/one";
    String two = "a/Subscriptions/two";

    assertThat(addRule(one, "r1", sql())).isNull();
    assertThat(addRule(two, "r1", sql())).isNull();
    assertThat(addRule(two, "r2", sql()))
        .isEqualTo(new Refusal.TooMany("SQL filters of the topic", 2));
    assertThat(addRule(two, "r1", sql())).isEqualTo(new Refusal.RuleAlreadyExists("r1"));
    assertThat(addRule(two, "r3", correlation())).isNull();
    assertThat(addRule(one, "r3", correlation()))
        .isEqualTo(new Refusal.TooMany("correlation filters of the topic", 1));
    assertThat(addRule(one, "r4", new Filter.True())).as("neither kind").isNull();
  }

  private @Nullable Refusal replace(String path, io.peeklock.kernel.entity.Rule rule) {
    return ask(new EntityRequest.ReplaceRule(operator, TICKET, idOf(path), rule));
  }

  private static io.peeklock.kernel.entity.Rule heavy(String name, int characters) {
    var user = new TreeMap<String, FilterValue>();
    user.put("a", FilterValue.of("x".repeat(characters)));
    return rule(name, done(CorrelationFilter.of(new TreeMap<>(), user)));
  }

  /** Also where the profile knows no limits: a rule stays in memory. */
  @Test
  @Rule("S-365")
  void aRuleSaysOnlySoMuchWhicheverWayItComes() {
    makeTopic("a");
    String one = "a/Subscriptions/one";
    var refusal = new Refusal.TooMany("characters and bytes of a rule", RuleWeight.MOST);
    var large = heavy("r", RuleWeight.MOST);

    assertThat(
            ask(
                new Request.CreateQueue(
                    operator, TICKET, subscription("a", "one"), List.of(large))))
        .isEqualTo(refusal);
    assertThat(make(subscription("a", "one"))).isNull();
    assertThat(addRule(one, "r", large.filter())).isEqualTo(refusal);
    assertThat(addRule(one, "r", heavy("r", RuleWeight.MOST - 50).filter())).isNull();
    assertThat(replace(one, large)).isEqualTo(refusal);
    assertThat(replace(one, heavy("r", 1))).isNull();
    assertThat(replace(one, heavy("none", RuleWeight.MOST)))
        .isEqualTo(new Refusal.RuleNotFound("none"));
  }

  @Test
  @Rule("S-365")
  void theRulesOfATopicSayOnlySoMuchTogether() {
    makeTopic("a");
    make(subscription("a", "one"));
    make(subscription("a", "two"));
    String one = "a/Subscriptions/one";
    String two = "a/Subscriptions/two";
    var most = RuleWeight.MOST_OF_TOPIC;
    var refusal = new Refusal.TooMany("characters and bytes of the rules of the topic", most);
    var fitting = most / RuleWeight.MOST;
    for (var i = 0; i < fitting; i++) {
      var filter = heavy("x", RuleWeight.MOST - 50).filter();
      assertThat(addRule(i % 2 == 0 ? one : two, "r" + i, filter)).isNull();
    }

    assertThat(addRule(two, "more", heavy("x", RuleWeight.MOST - 50).filter())).isEqualTo(refusal);
    assertThat(replace(one, heavy("r0", 10))).isNull();
    assertThat(addRule(two, "more", heavy("x", RuleWeight.MOST - 50).filter())).isNull();
  }

  private static long bytes(int characters) {
    return RuleWeight.mostHeapBytes(heavy("r", characters));
  }

  @Test
  @Rule("I-46")
  void theRulesOfAllTopicsTakeOnlySoMuchTogether() {
    long others = 2 * RuleWeight.mostHeapBytes(io.peeklock.kernel.entity.Rule.selectingAll(1));
    long most = bytes(800) + bytes(400) + others;
    makeTopic("a");
    makeTopic("b");
    make(subscription("a", "one"));
    make(subscription("b", "two"));
    machine.stored().bound(4 * most);
    var refusal = new Refusal.TooMany("bytes of memory for all rules", (int) most);
    assertThat(addRule("a/Subscriptions/one", "r", heavy("x", 800).filter())).isNull();

    assertThat(addRule("b/Subscriptions/two", "r", heavy("x", 800).filter())).isEqualTo(refusal);
    assertThat(replace("a/Subscriptions/one", heavy("r", 400))).isNull();
    assertThat(addRule("b/Subscriptions/two", "r", heavy("x", 800).filter())).isNull();

    machine.stored().bound(2 * most);
    assertThat(replace("b/Subscriptions/two", heavy("r", 200))).as("what is there stays").isNull();
    machine.stored().bound(4 * most);
    assertThat(addRule("b/Subscriptions/two", "s", heavy("x", 900).filter())).isEqualTo(refusal);
    assertThat(ask(new EntityRequest.DeleteQueue(operator, TICKET, "a"))).isNull();
    assertThat(addRule("b/Subscriptions/two", "s", heavy("x", 900).filter())).isNull();
  }

  @Test
  @Rule("I-46")
  void whoReplacesARuleTakesNoneOfWhatOthersShare() {
    machine.stored().bound(1L << 30);
    makeTopic("a");
    String one = "a/Subscriptions/one";
    make(subscription("a", "one"));
    var shared = named("r0", "b".repeat(1_000));
    assertThat(addRule(one, "r0", shared.filter())).isNull();
    assertThat(addRule(one, "r1", shared.filter())).isNull();
    machine.stored().bound(4 * (machine.stored().rules() + 1_000));

    var itsOwn = replace(one, named("r1", "c".repeat(1_000)));

    assertThat(itsOwn).isInstanceOf(Refusal.TooMany.class);
  }

  private static io.peeklock.kernel.entity.Rule named(String rule, String property) {
    var user = new TreeMap<String, FilterValue>();
    user.put(property, FilterValue.of("x"));
    return rule(rule, done(CorrelationFilter.of(new TreeMap<>(), user)));
  }

  /** A text of 70 KB may be a tree of a megabyte. */
  @Test
  @Rule("I-46")
  void aRuleIsCountedForWhatItTakesAndNotForWhatItSays() {
    machine.stored().bound(4 * 2_500_000);
    makeTopic("a");
    make(subscription("a", "one"));
    String one = "a/Subscriptions/one";
    var parts = done(SqlFilter.parse("a=1" + " OR a=1".repeat(3_332), FilterLimits.CEILING));

    assertThat(addRule(one, "r1", parts)).isNull();
    assertThat(addRule(one, "r2", parts)).isNull();
    assertThat(addRule(one, "r3", parts))
        .isEqualTo(new Refusal.TooMany("bytes of memory for all rules", 2_500_000));
  }

  @Test
  @Rule("S-365")
  void aTopicHasOnlySoManyRulesWhateverTheySelect() {
    makeTopic("a");
    var many =
        IntStream.range(0, RuleWeight.MOST_RULES)
            .mapToObj(i -> rule("r" + i, new Filter.True()))
            .toList();
    assertThat(ask(new Request.CreateQueue(operator, TICKET, subscription("a", "one"), many)))
        .isNull();

    assertThat(addRule("a/Subscriptions/one", "more", new Filter.False()))
        .isEqualTo(new Refusal.TooMany("rules of the topic", RuleWeight.MOST_RULES));
    assertThat(replace("a/Subscriptions/one", rule("r0", new Filter.False()))).isNull();
  }

  /** It would be a way past the limit. */
  @Test
  @Rule("S-365")
  void aRuleThatIsReplacedCountsAsItIsThen() {
    machine.limit(SMALL);
    makeTopic("a");
    make(subscription("a", "one"));
    String one = "a/Subscriptions/one";
    addRule(one, "c", correlation());
    addRule(one, "t", new Filter.True());

    assertThat(replace(one, rule("t", correlation())))
        .isEqualTo(new Refusal.TooMany("correlation filters of the topic", 1));
    assertThat(replace(one, rule("c", correlation()))).isNull();
    assertThat(replace(one, rule("c", sql()))).isNull();
    assertThat(replace(one, rule("t", correlation()))).isNull();
  }

  @Test
  @Rule("S-440")
  void aSubscriptionComesWithAllItsRulesOrNotAtAll() {
    machine.limit(SMALL);
    makeTopic("a");
    var three = List.of(rule("1", sql()), rule("2", sql()), rule("3", sql()));

    var refusal = ask(new Request.CreateQueue(operator, TICKET, subscription("a", "one"), three));

    assertThat(refusal).isEqualTo(new Refusal.TooMany("SQL filters of the topic", 2));
    assertThat(machine.queues()).hasSize(1);
    var two = three.subList(0, 2);
    assertThat(ask(new Request.CreateQueue(operator, TICKET, subscription("a", "one"), two)))
        .isNull();
  }

  @Test
  @Rule("S-205")
  void theTransferDeadLettersOfAnEntityAreNoEntityMore() {
    machine.limit(new NamespaceLimits(1, 10, 10, 10, true));
    assertThat(makeQueue("a")).isNull();

    assertThat(make(QueueRole.Transfers.of(QueueDefinition.named("a"), null))).isNull();

    assertThat(makeQueue("b"))
        .isEqualTo(new Refusal.TooMany("queues and topics of the namespace", 1));
  }

  @Test
  @Rule({"S-069", "S-284"})
  void basicHasQueuesAlone() {
    makeTopic("old");
    machine.limit(new NamespaceLimits(100, 10, 10, 10, true));

    assertThat(makeQueue("a")).isNull();
    assertThat(makeTopic("b")).isEqualTo(new Refusal.FeatureNotAvailable("topics"));
    assertThat(make(subscription("old", "s"))).isEqualTo(new Refusal.FeatureNotAvailable("topics"));
    assertThat(make(QueueDefinition.named("c").with().requiresSession(true).build()))
        .isEqualTo(new Refusal.FeatureNotAvailable("message sessions"));
    assertThat(make(QueueDefinition.named("c").with().duplicateWindowMillis(60_000).build()))
        .isEqualTo(new Refusal.FeatureNotAvailable("duplicate detection"));
    assertThat(make(QueueDefinition.named("d").with().forwardTo("a").build()))
        .isEqualTo(new Refusal.FeatureNotAvailable("auto-forwarding"));
    assertThat(makeTopic("old")).as("what is there stays").isNull();
    assertThat(update(QueueDefinition.named("a").with().forwardTo("a2").build()))
        .isEqualTo(new Refusal.FeatureNotAvailable("auto-forwarding"));
    assertThat(update(QueueDefinition.named("a").with().maxDeliveryCount(4).build())).isNull();
    assertThat(update(QueueDefinition.named("old").as(new QueueRole.Topic(true))))
        .as("what is there can be changed")
        .isNull();
    assertThat(update(QueueDefinition.named("none"))).isEqualTo(new Refusal.EntityNotFound());
  }

  @Test
  void whoLowersALimitLosesNothing() {
    makeTopic("a");
    make(subscription("a", "one"));
    make(subscription("a", "two"));
    for (var i = 0; i < 5; i++) {
      addRule("a/Subscriptions/one", "s" + i, sql());
      addRule("a/Subscriptions/one", "c" + i, correlation());
    }

    machine.limit(new NamespaceLimits(1, 1, 2, 2, false));

    assertThat(machine.queues()).hasSize(3);
    assertThat(addRule("a/Subscriptions/one", "true", new Filter.True())).isNull();
    assertThat(addRule("a/Subscriptions/one", "sql", sql())).isInstanceOf(Refusal.TooMany.class);
  }

  @Test
  void noLimitIsBelowOne() {
    assertThatThrownBy(() -> new NamespaceLimits(0, 1, 1, 1, false))
        .hasMessageContaining("entities");
    assertThatThrownBy(() -> new NamespaceLimits(1, 1, 1, 0, false))
        .hasMessageContaining("correlationFiltersPerTopic");
  }
}
