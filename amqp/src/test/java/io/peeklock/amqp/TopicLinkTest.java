package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.ATTACH;
import static io.peeklock.amqp.TestClient.DETACH;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.there;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.TestMessage.Parsed;
import io.peeklock.amqp.engine.codec.Described;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.Timestamp;
import io.peeklock.amqp.engine.codec.Unsigned;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.proof.Rule;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Topics, subscriptions and rules on the wire. */
class TopicLinkTest {
  private final BrokerFixture broker =
      new BrokerFixture()
          .queue(QueueDefinition.named("t").as(new QueueRole.Topic(false)))
          .queue(subscription("one"))
          .queue(subscription("two"));
  private final TestClient client = broker.client().sender(0, 0, "t");
  private final RequestClient rules =
      new RequestClient(client, 0, "t/Subscriptions/one/$management", "me");

  private static QueueDefinition subscription(String name) {
    return QueueDefinition.named("t/Subscriptions/" + name)
        .as(new QueueRole.Subscription("t", true));
  }

  private static byte[] message(Map<String, Object> properties) {
    return new TestMessage()
        .section(TestMessage.ANNOTATIONS, Map.of(new Symbol("x-opt-partition-key"), "p"))
        .properties("id-1", null, null, "label")
        .section(TestMessage.APPLICATION_PROPERTIES, properties)
        .section(TestMessage.DATA, "body".getBytes(StandardCharsets.UTF_8))
        .bytes();
  }

  private List<Parsed> receive(int handle, String subscription) {
    client.forget();
    client.receiver(0, handle, "t/Subscriptions/" + subscription, 0).credit(handle, 9);
    return client.take(TRANSFER).stream().map(frame -> Parsed.of(frame.payload())).toList();
  }

  private RequestClient.Answer add(String name, Map<String, ?> description) {
    return rules.manage("add-rule", Map.of("rule-name", name, "rule-description", description));
  }

  private static Map<String, ?> sql(String text) {
    return Map.of("sql-filter", Map.of("expression", text));
  }

  private RequestClient.Answer remove(String name) {
    return rules.manage("remove-rule", Map.of("rule-name", name));
  }

  @Test
  @Rule({"S-053", "S-146"})
  void copiesSayTheTopicsNumberAsALong() {
    client.message(0, message(Map.of("a", 1)));
    client.message(0, message(Map.of("a", 2)));

    var copies = receive(1, "two");

    assertThat(copies).hasSize(2);
    assertThat(copies.get(1).entry(TestMessage.ANNOTATIONS, "x-opt-enqueue-sequence-number"))
        .isEqualTo(2L);
    assertThat(copies.get(1).entry(TestMessage.ANNOTATIONS, "x-opt-sequence-number")).isEqualTo(2L);
  }

  @Test
  @Rule({"S-052", "S-182", "S-183"})
  void aTopicIsSentToAndASubscriptionReceivedFrom() {
    client.forget();
    client.receiver(0, 5, "t", 0);
    assertThat(TestClient.condition(client.one(DETACH).fields().get(2)))
        .isEqualTo(Conditions.NOT_FOUND);
    client.forget();
    client.receiver(0, 6, "t/$DeadLetterQueue", 0);
    assertThat(TestClient.condition(client.one(DETACH).fields().get(2)))
        .isEqualTo(Conditions.NOT_FOUND);
    client.forget();
    client.sender(0, 7, "T/subscriptions/ONE");
    assertThat(TestClient.condition(client.one(DETACH).fields().get(2)))
        .isEqualTo(Conditions.NOT_ALLOWED);
    assertThat(client.take(ATTACH)).hasSize(1);
  }

  @Test
  @Rule({"S-315", "S-317", "S-319", "S-325", "S-361", "T-49"})
  void rulesComeAndGoAndActionsRewriteTheCopy() {
    assertThat(remove("$Default").status()).isEqualTo(200);
    var both = new HashMap<String, Object>(sql("colour = 'red' AND sys.Label = 'label'"));
    both.put(
        "sql-rule-action",
        Map.of(
            "expression",
            "SET sys.Label = 'new'; SET sys.PartitionKey = 'q'; SET price = price + 1; REMOVE"
                + " colour; SET sys.ContentType = 'text/plain'"));
    assertThat(add("red", both).status()).isEqualTo(200);
    client.message(0, message(Map.of("colour", "blue", "price", 1)));
    client.message(0, message(Map.of("colour", "red", "price", 1, "kept", true)));

    var copy = receive(1, "one").getFirst();

    assertThat(copy.field(TestMessage.PROPERTIES, 3)).isEqualTo("new");
    assertThat(copy.field(TestMessage.PROPERTIES, 0)).isEqualTo("id-1");
    assertThat(copy.field(TestMessage.PROPERTIES, 6)).hasToString("text/plain");
    assertThat(copy.entry(TestMessage.ANNOTATIONS, "x-opt-partition-key")).isEqualTo("q");
    assertThat(copy.entry(TestMessage.APPLICATION_PROPERTIES, "RuleName")).isEqualTo("red");
    assertThat(copy.entry(TestMessage.APPLICATION_PROPERTIES, "price")).isEqualTo(2);
    assertThat(copy.entry(TestMessage.APPLICATION_PROPERTIES, "kept")).isEqualTo(true);
    assertThat(copy.entry(TestMessage.APPLICATION_PROPERTIES, "colour")).isNull();
    assertThat(copy.body()).isEqualTo("body");
    assertThat(receive(2, "two").getLast().field(TestMessage.PROPERTIES, 3)).isEqualTo("label");
  }

  @Test
  @Rule({"S-195", "S-193"})
  void aFilterThatFailsSaysSoOnTheDeadLetter() {
    remove("$Default");
    add("fails", sql("1 / (price - price) > 0"));
    client.message(0, message(Map.of("price", 1)));

    var dead = receive(1, "one/$DeadLetterQueue").getFirst();

    assertThat(dead.entry(TestMessage.APPLICATION_PROPERTIES, "DeadLetterReason"))
        .isEqualTo("FilterException");
    assertThat(dead.entry(TestMessage.APPLICATION_PROPERTIES, "DeadLetterErrorDescription"))
        .isEqualTo("a number is divided by zero");
    assertThat(dead.entry(TestMessage.APPLICATION_PROPERTIES, "price")).isEqualTo(1);
  }

  /** As .NET's client sends a TimeSpan and a Uri. */
  @Test
  @Rule({"S-326", "S-356"})
  void valuesOfNetAreCompared() {
    var span = new Described(new Symbol("com.microsoft:timespan"), 50L);
    var uri = new Described(new Symbol("com.microsoft:uri"), "http://host/path");
    remove("$Default");
    assertThat(
            add("span", Map.of("correlation-filter", Map.of("properties", Map.of("s", span))))
                .status())
        .isEqualTo(200);
    add("uri", sql("u LIKE 'http:%' AND u = 'http://host/path'"));

    client.message(0, message(Map.of("s", span)));
    client.message(0, message(Map.of("u", uri)));
    client.message(0, message(Map.of("s", 50L)));

    assertThat(receive(1, "one")).hasSize(2);
    assertThat(receive(2, "one/$DeadLetterQueue")).isEmpty();
  }

  @Test
  @Rule({"S-156", "S-157", "S-159"})
  void dueMessagesAreReadAndFiltered() {
    remove("$Default");
    add("red", sql("colour = 'red'"));
    for (var colour : List.of("red", "blue")) {
      client.message(
          0,
          new TestMessage()
              .section(
                  TestMessage.ANNOTATIONS,
                  Map.of(
                      new Symbol("x-opt-scheduled-enqueue-time"),
                      new Timestamp(broker.clock.wallMillis() + 60_000)))
              .section(TestMessage.APPLICATION_PROPERTIES, Map.of("colour", colour))
              .section(TestMessage.DATA, colour.getBytes(StandardCharsets.UTF_8))
              .bytes());
    }
    assertThat(receive(1, "two")).isEmpty();

    broker.advance(Duration.ofMinutes(1));

    assertThat(receive(2, "one")).extracting(Parsed::body).containsExactly("red");
  }

  @Test
  @Rule({"S-324", "T-50"})
  void rulesAreListedInTheFormsThatClientsIndex() {
    add("sql", sql("colour = 'red'"));
    add("no", sql("1 = 0"));
    add(
        "equal",
        Map.of("correlation-filter", Map.of("label", "urgent", "properties", Map.of("level", 3))));

    var listed = list(0, Integer.MAX_VALUE);

    assertThat(listed).hasSize(4);
    assertThat(form(listed.get(0), 0)).isEqualTo(code(0x13_7000_0007L));
    assertThat(form(listed.get(0), 1)).isEqualTo(code(0x137_0000_0005L));
    assertThat(listed.get(0).get(2)).isEqualTo("$Default");
    assertThat(listed)
        .extracting(rule -> rule.get(2))
        .as("by name, as over HTTP")
        .isEqualTo(List.of("$Default", "equal", "no", "sql"));
    assertThat(form(listed.get(3), 0)).isEqualTo(code(0x13_7000_0006L));
    assertThat(form(listed.get(2), 0)).isEqualTo(code(0x13_7000_0008L));
    var equal = (Described) there(listed.get(1).getFirst());
    assertThat(equal.descriptor()).isEqualTo(code(0x13_7000_0009L));
    assertThat((List<?>) equal.value()).hasSize(9).element(4).isEqualTo("urgent");
    assertThat(list(3, 5)).hasSize(1);
    assertThat(rules.manage("enumerate-rules", Map.of("skip", 9, "top", 5)).status())
        .isEqualTo(204);
  }

  private static Unsigned.Ulong code(long code) {
    return new Unsigned.Ulong(code);
  }

  private static Object form(List<?> rule, int i) {
    return ((Described) there(rule.get(i))).descriptor();
  }

  private List<List<?>> list(int skip, int top) {
    var answer = rules.manage("enumerate-rules", Map.of("skip", skip, "top", top));
    return there((List<?>) answer.body("rules")).stream()
        .<List<?>>map(
            entry -> {
              var described = (Described) there(((Map<?, ?>) entry).get("rule-description"));
              assertThat(described.descriptor()).isEqualTo(code(0x137_0000_0004L));
              return there((List<?>) described.value());
            })
        .toList();
  }

  @Test
  @Rule({"S-317", "S-325", "S-327", "S-059"})
  void whatIsNoRuleIsRefusedWithItsReason() {
    refused(add("$default", sql("a = 1")), 409, "already exists");
    refused(remove("nobody"), 404, "could not be found");
    refused(add("", sql("a = 1")), 400, "from 1 to 50 characters");
    refused(add("x", sql("a = = 1")), 400, "line 1, column");
    refused(add("x", Map.of("correlation-filter", Map.of())), 400, "at least one property");
    refused(add("x", Map.of("correlation-filter", Map.of("label", 5))), 400, "'label' of a filter");
    refused(
        add("x", Map.of("correlation-filter", Map.of("properties", Map.of("l", List.of())))),
        400,
        "of a type");
    refused(add("x", Map.of("sql-filter", 5)), 400, "'sql-filter' must be a map");
    refused(add("x", Map.of("sql-filter", Map.of("expression", 5))), 400, "must be a string");
    var two = new HashMap<String, Object>(sql("a = 1"));
    two.put("correlation-filter", Map.of("label", "a"));
    refused(add("x", two), 400, "one filter, not two");
    refused(rules.manage("add-rule", Map.of("rule-name", "x")), 400, "'rule-description'");
    refused(rules.manage("remove-rule", Map.of()), 400, "'rule-name' is missing");
    refused(
        new RequestClient(broker.client(), 0, "q/$management", "other")
            .manage("enumerate-rules", Map.of("skip", 0, "top", 1)),
        400,
        "Only a subscription has rules");
    assertThat(add("all", Map.of()).status()).isEqualTo(200);
  }

  private static void refused(RequestClient.Answer answer, int status, String reason) {
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.description()).contains(reason);
  }

  @Test
  @Rule({"S-376", "S-319", "S-361"})
  void filtersSeeWhatIsSentInATransaction() {
    remove("$Default");
    var acting = new HashMap<String, Object>(sql("sys.MessageId = 'one'"));
    acting.put("sql-rule-action", Map.of("expression", "SET seen = TRUE"));
    add("acting", acting);
    var transactions = broker.client();
    var coordinator = Coordinator.of(transactions);
    transactions.sender(0, 3, "t").sender(0, 4, "q").forget();
    var transaction = coordinator.declare();

    for (var id : List.of("one", "two")) {
      coordinator.send(
          transaction,
          3,
          new TestMessage()
              .properties(id)
              .section(TestMessage.DATA, id.getBytes(StandardCharsets.UTF_8))
              .bytes());
    }
    coordinator.send(transaction, 4, "for a queue");
    assertThat(coordinator.commit(transaction)).isNull();

    var copy = receive(1, "one");
    assertThat(copy).extracting(Parsed::body).containsExactly("one");
    assertThat(copy.getFirst().entry(TestMessage.APPLICATION_PROPERTIES, "seen")).isEqualTo(true);
    assertThat(receive(2, "two")).hasSize(2);
    assertThat(broker.ended).isNull();
  }

  @Test
  @Rule({"S-055", "S-512"})
  void aTopicMayRefuseWhatNobodySelects() {
    broker.queue(QueueDefinition.named("strict").as(new QueueRole.Topic(true)));
    client.sender(0, 9, "strict").forget();

    client.message(9, TestMessage.text("lost"));

    @Nullable Object state = client.one(TestClient.DISPOSITION).fields().get(4);
    assertThat(String.valueOf(TestClient.inside(state)))
        .contains(Conditions.NO_MATCHING_SUBSCRIPTION);
  }
}
