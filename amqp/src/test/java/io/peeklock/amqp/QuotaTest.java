package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.ATTACH;
import static io.peeklock.amqp.TestClient.DETACH;
import static io.peeklock.amqp.TestClient.DISPOSITION;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.code;
import static io.peeklock.amqp.TestClient.condition;
import static io.peeklock.amqp.TestClient.inside;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.TestClient.Frame;
import io.peeklock.amqp.TestMessage.Parsed;
import io.peeklock.amqp.limit.AmqpSettings.Quotas;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.filter.FilterLimits;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a namespace may have and do at a time (groups V and W). */
class QuotaTest {
  private static final int BATCH = 0x80013700;
  private static final int ACCEPTED = 0x24;

  private static BrokerFixture throttled(int creditsPerSecond) {
    return new BrokerFixture(
        new Quotas(Integer.MAX_VALUE, Integer.MAX_VALUE, creditsPerSecond, true));
  }

  private static void send(TestClient client, String... texts) {
    for (var text : texts) {
      client.message(0, TestMessage.text(text));
    }
  }

  private static void refusedAsBusy(Frame disposition) {
    var error = inside(disposition.field(4));
    assertThat(condition(error)).isEqualTo("com.microsoft:server-busy");
    assertThat(String.valueOf(error)).contains("Error code : 50009", "wait 2 seconds");
  }

  private static List<String> bodies(TestClient client) {
    return client.take(TRANSFER).stream().map(frame -> Parsed.of(frame.payload()).body()).toList();
  }

  // --- throttling ---

  @Test
  @Rule({"S-445", "S-446", "S-447", "S-451", "S-507"})
  void whatHasNoCreditIsRefusedUntilTheNextSecondAndLeavesNothing() {
    var broker = throttled(2);
    var client = broker.client().sender(0, 0, "q").forget();

    send(client, "a", "b", "c");
    var answers = client.take(DISPOSITION);
    assertThat(code(answers.getFirst().field(4))).isEqualTo(ACCEPTED);
    refusedAsBusy(answers.getLast());

    broker.advance(Duration.ofSeconds(1));
    client.forget();
    send(client, "d");
    assertThat(code(client.one(DISPOSITION).field(4))).isEqualTo(ACCEPTED);

    broker.advance(Duration.ofSeconds(1));
    client.receiver(0, 1, "q", 1).forget().credit(1, 2);
    broker.advance(Duration.ofSeconds(1));
    client.credit(1, 4);
    broker.advance(Duration.ofSeconds(1));
    assertThat(bodies(client)).containsExactly("a", "b", "d");
  }

  @Test
  @Rule({"S-446", "S-447", "S-405"})
  void aBatchCostsAsMuchAsItsMessagesAndIsRefusedWhole() {
    var broker = throttled(3);
    var client = broker.client().sender(0, 0, "q").forget();
    var envelope =
        new TestMessage()
            .section(TestMessage.DATA, TestMessage.text("a"))
            .section(TestMessage.DATA, TestMessage.text("b"))
            .bytes();

    for (var i = 0; i < 3; i++) {
      client.send(client.transfer(0, 0, BATCH, false, envelope));
    }

    var answers = client.take(DISPOSITION);
    refusedAsBusy(answers.getLast());
    assertThat(answers.getLast().number(1)).isEqualTo(2);
    broker.advance(Duration.ofSeconds(1));
    client.receiver(0, 1, "q", 1).forget().credit(1, 100);
    broker.advance(Duration.ofSeconds(1));
    broker.advance(Duration.ofSeconds(1));
    assertThat(bodies(client)).containsExactly("a", "b", "a", "b");
  }

  @Test
  @Rule({"S-445", "S-446"})
  void whatIsReceivedCostsTooAndWaitsForTheNextSecond() {
    var broker = throttled(4);
    var client = broker.client().sender(0, 0, "q").forget();
    send(client, "a", "b", "c", "d");
    broker.advance(Duration.ofSeconds(1));
    send(client, "e", "f");
    client.receiver(0, 1, "q", 1).forget();

    client.credit(1, 100);
    assertThat(bodies(client)).containsExactly("a", "b");
    broker.advance(Duration.ofSeconds(1));

    assertThat(bodies(client)).containsExactly("c", "d", "e", "f");
  }

  @Test
  @Rule("S-446")
  void aMessageToATopicPaysForEveryRuleThatLooksAtIt() {
    var broker = throttled(9);
    broker.queue(QueueDefinition.named("t").as(new QueueRole.Topic(false)));
    for (var name : List.of("t/Subscriptions/a", "t/Subscriptions/b")) {
      broker.queue(QueueDefinition.named(name).as(new QueueRole.Subscription("t", true)));
    }
    var client = broker.client().sender(0, 0, "t").forget();

    send(client, "a", "b", "c"); // three each: itself and two rules
    assertThat(client.take(DISPOSITION))
        .isNotEmpty()
        .allMatch(answer -> code(answer.field(4)) == ACCEPTED);
    client.forget();
    send(client, "d");
    refusedAsBusy(client.one(DISPOSITION));

    broker.delete("t/Subscriptions/b");
    broker.advance(Duration.ofSeconds(1));
    client.forget();
    send(client, "e", "f", "g", "h", "i"); // two each
    assertThat(client.take(DISPOSITION))
        .isNotEmpty()
        .allMatch(answer -> code(answer.field(4)) == ACCEPTED);
    client.forget();
    send(client, "j");
    refusedAsBusy(client.one(DISPOSITION));
  }

  @Test
  @Rule("S-445")
  void creditsThatAreNotUsedLapse() {
    var broker = throttled(2);
    var client = broker.client().sender(0, 0, "q").forget();
    broker.advance(Duration.ofSeconds(10));

    send(client, "a", "b", "c");

    refusedAsBusy(client.take(DISPOSITION).getLast());
  }

  @Test
  @Rule({"S-446", "S-447"})
  void aThrottledRequestOfTheManagementNodeIsAnswered503() {
    var broker = throttled(1);
    var client = broker.client().sender(0, 0, "q").forget();
    var node = new RequestClient(client, 0, "q/$management", "answers");
    var peek = Map.<String, Object>of("from-sequence-number", 0L, "message-count", 10);
    send(client, "a");
    client.forget();

    var busy = node.manage("peek-message", peek);
    broker.advance(Duration.ofSeconds(1));
    client.forget();

    assertThat(busy.status()).isEqualTo(503);
    assertThat(String.valueOf(busy.condition())).isEqualTo("com.microsoft:server-busy");
    assertThat(busy.description()).contains("50009");
    assertThat(node.manage("peek-message", peek).status()).isEqualTo(200);
  }

  @Test
  @Rule("S-449")
  void whoIsThrottledCanStillSettle() {
    var broker = throttled(2);
    var client = broker.client().sender(0, 0, "q").receiver(0, 1, "q", 0).forget();
    send(client, "a");
    client.credit(1, 1);
    send(client, "b");
    client.forget();

    client.dispose(0, 0, false, TestClient.accepted());

    assertThat(code(client.one(DISPOSITION).field(4))).isEqualTo(ACCEPTED);
  }

  // --- receivers ---

  @Test
  @Rule({"S-439", "S-510"})
  void anEntityHasSoManyReceiversAndOneLessWhenOneLeaves() {
    var broker = new BrokerFixture(new Quotas(100, 2, 0, true));
    broker.queue(QueueDefinition.named("other"));
    var client = broker.client().receiver(0, 0, "q", 0);
    var second = broker.client().receiver(0, 0, "Q", 1);
    client.forget();

    client.receiver(0, 1, "one-more", "q", "there", 0);
    var refused = client.one(DETACH);
    assertThat(condition(refused.field(2))).isEqualTo("amqp:resource-limit-exceeded");
    client.forget().receiver(0, 2, "other", 0);
    assertThat(client.take(DETACH)).isEmpty();

    second.leave();
    client.forget().receiver(0, 3, "again", "q", "there", 0);
    assertThat(client.take(DETACH)).isEmpty();
    assertThat(client.take(ATTACH)).hasSize(1);
  }

  @Test
  @Rule("S-439")
  void theSubscriptionsOfATopicShareItsReceivers() {
    var broker = new BrokerFixture(new Quotas(100, 1, 0, true));
    broker.queue(QueueDefinition.named("t").as(new QueueRole.Topic(false)));
    for (var name : List.of("t/Subscriptions/a", "t/Subscriptions/b")) {
      broker.queue(QueueDefinition.named(name).as(new QueueRole.Subscription("t", true)));
    }
    var client = broker.client().receiver(0, 0, "t/Subscriptions/a", 0).forget();

    client.receiver(0, 1, "t/Subscriptions/b", 0);

    assertThat(condition(client.one(DETACH).field(2))).isEqualTo("amqp:resource-limit-exceeded");
  }

  // --- connections ---

  @Test
  @Rule({"S-438", "S-510"})
  void aNamespaceHasSoManyConnectionsAndTellsTheNextOne() {
    var broker = new BrokerFixture(new Quotas(1, 100, 0, true));
    broker.newClient().connect("ANONYMOUS", new byte[0]); // has not opened, and takes no place
    var first = broker.client();

    var second =
        broker
            .newClient()
            .connect("PLAIN", BrokerFixture.plain("RootManageSharedAccessKey", BrokerFixture.KEY))
            .open();

    var close = second.one(TestClient.CLOSE);
    assertThat(condition(close.field(0))).isEqualTo("amqp:resource-limit-exceeded");
    assertThat(String.valueOf(close.field(0))).contains("ConnectionsQuotaExceeded");
    first.sender(0, 0, "q");
    assertThat(first.take(DETACH)).isEmpty();
    first.leave();
    second.leave();
    broker.settle();
    var third = broker.client();
    assertThat(third.take(TestClient.CLOSE)).isEmpty();
  }

  // --- sizes ---

  @Test
  @Rule({"S-432", "S-431", "S-511"})
  void propertiesCountAsMuchAsABody() {
    var broker = new BrokerFixture().queue("small", 60_000, 10, 1_000);
    var client = broker.client().sender(0, 0, "small").forget();
    var properties = Map.of("wide", "x".repeat(1_000));

    client.message(
        0,
        new TestMessage()
            .section(TestMessage.APPLICATION_PROPERTIES, properties)
            .section(TestMessage.DATA, new byte[1])
            .bytes());

    assertThat(condition(inside(client.one(DISPOSITION).field(4))))
        .isEqualTo("amqp:link:message-size-exceeded");
  }

  // --- tiers ---

  @Test
  @Rule("S-069")
  void aNamespaceWithoutTransactionsRefusesTheCoordinator() {
    var broker = new BrokerFixture(new Quotas(100, 100, 0, false));
    var client = broker.client();

    client.perform(
        0,
        ATTACH,
        "coordinator",
        TestClient.uint(9),
        false,
        null,
        null,
        TestClient.source("here"),
        new io.peeklock.amqp.engine.codec.Described(
            new io.peeklock.amqp.engine.codec.Unsigned.Ulong(0x30), List.of()),
        null,
        null,
        TestClient.uint(0));

    assertThat(condition(client.one(DETACH).field(2))).isEqualTo("amqp:not-allowed");
  }

  @Test
  @Rule("S-365")
  void aRuleIsAsLargeAsTheProfileLetsItBe() {
    var standard = new Quotas(Integer.MAX_VALUE, Integer.MAX_VALUE, 0, true, FilterLimits.STANDARD);
    var filter = "x = '" + "y".repeat(1_024) + "'";
    var action = "SET x = '" + "y".repeat(1_024) + "'";

    for (var quotas : List.of(standard, Quotas.NONE)) {
      var broker = new BrokerFixture(quotas);
      broker.queue(QueueDefinition.named("t").as(new QueueRole.Topic(false)));
      broker.queue(
          QueueDefinition.named("t/Subscriptions/s").as(new QueueRole.Subscription("t", false)));
      var rules = new RequestClient(broker.client(), 0, "t/Subscriptions/s/$management", "me");
      var filtered = Map.of("sql-filter", Map.of("expression", filter));
      var acting = Map.of("sql-rule-action", Map.of("expression", action));
      var expected = quotas.equals(standard) ? 400 : 200;

      for (var description : List.of(filtered, acting)) {
        var body =
            Map.of(
                "rule-name",
                "r" + description.size() + description.keySet(),
                "rule-description",
                description);
        assertThat(rules.manage("add-rule", body).status()).isEqualTo(expected);
      }
    }
  }
}
