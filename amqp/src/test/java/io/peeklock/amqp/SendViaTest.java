package io.peeklock.amqp;

import static io.peeklock.amqp.Coordinator.condition;
import static io.peeklock.amqp.TestClient.ATTACH;
import static io.peeklock.amqp.TestClient.DETACH;
import static io.peeklock.amqp.TestClient.DISPOSITION;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.accepted;
import static io.peeklock.amqp.TestClient.code;
import static io.peeklock.amqp.TestClient.there;
import static io.peeklock.amqp.TestClient.ubyte;
import static io.peeklock.amqp.TestClient.uint;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.TestMessage.Parsed;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.kernel.entity.EntityStatus;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Senders whose messages go through one entity to another, and transactions from subscriptions. */
class SendViaTest {
  private static final Symbol DESTINATION =
      new Symbol("com.microsoft:transfer-destination-address");
  private static final int VIA = 2;
  private static final String TRANSFER_DEAD_LETTERS = "q/$Transfer/$DeadLetterQueue";

  private final BrokerFixture broker = stocked(new BrokerFixture(true));
  private final TestClient client = broker.client();

  private static BrokerFixture stocked(BrokerFixture empty) {
    return empty
        .queue(QueueDefinition.named("bills"))
        .queue(QueueDefinition.named("other"))
        .queue(QueueDefinition.named("t").as(new QueueRole.Topic(false)))
        .queue(QueueDefinition.named("t/Subscriptions/s").as(new QueueRole.Subscription("t", true)))
        .queue(
            QueueDefinition.named("t/Subscriptions/u").as(new QueueRole.Subscription("t", true)));
  }

  private static TestClient attach(TestClient by, String via, Object destination) {
    return by.perform(
        0,
        ATTACH,
        "VIA-" + via,
        uint(VIA),
        false,
        ubyte(0),
        ubyte(0),
        TestClient.source("here"),
        TestClient.target(via),
        null,
        null,
        uint(0),
        null,
        null,
        null,
        Map.of(DESTINATION, destination));
  }

  private List<String> taken(String queue) {
    var other = broker.client();
    other.receiver(0, 0, queue, 1).credit(0, 100);
    var messages = other.take(TRANSFER);
    other.leave();
    return messages.stream().map(frame -> Parsed.of(frame.payload()).body()).toList();
  }

  @Test
  @Rule("S-301")
  void withoutATransactionAMessageIsAtItsDestinationAtOnceAndNeverInTheTransferEntity() {
    attach(client, "q", "bills");
    var answer = client.one(ATTACH);
    client.forget();

    client.message(VIA, TestMessage.text("bill"));

    assertThat(((Map<?, ?>) there(answer.field(13))).get(DESTINATION)).isEqualTo("bills");
    assertThat(code(client.one(DISPOSITION).field(4))).isEqualTo(0x24);
    assertThat(taken("q")).isEmpty();
    assertThat(taken("bills")).containsExactly("bill");
  }

  @Test
  @Rule({"S-301", "S-391", "I-27"})
  void aTransactionOfTheTransferEntityReachesTheDestination() {
    var apart = new Coordinator(client.begin(1), 1, 3); // not in the cross-entity mode
    client.sender(0, 0, "q").receiver(0, 1, "q", 0);
    attach(client, "q", "amqps://localhost/Bills").forget();
    client.message(0, TestMessage.text("order")).credit(1, 1).forget();
    var transaction = apart.declare();

    assertThat(code(apart.send(transaction, VIA, "bill"))).isEqualTo(Coordinator.TRANSACTIONAL);
    assertThat(code(apart.settle(transaction, 0, 0, accepted())))
        .isEqualTo(Coordinator.TRANSACTIONAL);

    assertThat(taken("bills")).isEmpty();
    assertThat(apart.commit(transaction)).isNull();
    assertThat(taken("bills")).containsExactly("bill");
    broker.advance(Duration.ofSeconds(61));
    assertThat(taken("q")).isEmpty();
  }

  @Test
  @Rule("S-302")
  void theRightToSendIsNeededForBothAndForAsLongAsTheLinkLives() {
    for (var missing : List.of("q", "bills")) {
      var one = broker.anonymous();
      var tokens = new RequestClient(one, 0, "$cbs", "cbs");
      var ends = broker.clock.wallMillis() / 1_000 + 100;
      for (var entity : List.of("q", "bills")) {
        var key = entity.equals(missing) ? "listener" : "sender";
        var secret = entity.equals(missing) ? BrokerFixture.LISTEN_KEY : BrokerFixture.SEND_KEY;
        tokens.putToken("amqp://localhost/" + entity, Sas.token(entity, key, secret, ends));
      }
      one.forget();

      attach(one, "q", "bills");

      assertThat(TestClient.condition(one.one(DETACH).field(2))).isEqualTo(Conditions.UNAUTHORIZED);
    }
  }

  @Test
  @Rule("S-302")
  void aTokenOfTheDestinationThatEndsEndsTheLink() {
    var one = broker.anonymous();
    var tokens = new RequestClient(one, 0, "$cbs", "cbs");
    var now = broker.clock.wallMillis() / 1_000;
    tokens.putToken(
        "amqp://localhost/q", Sas.token("q", "sender", BrokerFixture.SEND_KEY, now + 9_000));
    tokens.putToken(
        "amqp://localhost/bills", Sas.token("bills", "sender", BrokerFixture.SEND_KEY, now + 60));
    attach(one, "q", "bills").forget();

    broker.advance(Duration.ofMinutes(9));

    assertThat(one.take(DETACH))
        .anyMatch(detach -> Conditions.UNAUTHORIZED.equals(TestClient.condition(detach.field(2))));
  }

  @Test
  @Rule("S-304")
  void aDestinationThatIsNotThereIsNotFound() {
    attach(client, "q", "nowhere");

    var detach = client.one(DETACH);
    assertThat(TestClient.condition(detach.field(2))).isEqualTo(Conditions.NOT_FOUND);
    assertThat(String.valueOf(detach.field(2))).contains("nowhere");
  }

  @Test
  @Rule({"S-301", "S-183"})
  void whatCannotBeSentToIsNoDestination() {
    for (var wrong : List.of("bills/$DeadLetterQueue", "t/Subscriptions/s", "bills/$management")) {
      var one = broker.client();
      attach(one, "q", wrong);
      assertThat(TestClient.condition(one.one(DETACH).field(2)))
          .as(wrong)
          .isEqualTo(Conditions.NOT_ALLOWED);
    }
    attach(client, "q", "");
    assertThat(TestClient.condition(client.one(DETACH).field(2)))
        .isEqualTo(Conditions.INVALID_FIELD);
  }

  private void status(String queue, EntityStatus status) {
    broker.update(QueueDefinition.named(queue).with().status(status).build());
  }

  @Test
  @Rule({"S-303", "S-205"})
  void aDisabledDestinationMakesTransferDeadLettersThatClientsRead() {
    attach(client, "q", "bills").forget();
    status("bills", EntityStatus.SEND_DISABLED);

    client.message(VIA, TestMessage.text("bill"));

    assertThat(code(client.one(DISPOSITION).field(4))).isEqualTo(0x24);
    assertThat(taken("q")).isEmpty();
    var reader = broker.client();
    reader.receiver(0, 0, "Q/$Transfer/$DeadLetterQueue", 0).credit(0, 10);
    var frame = reader.one(TRANSFER);
    assertThat(Parsed.of(frame.payload()).body()).isEqualTo("bill");
    assertThat(
            Parsed.of(frame.payload())
                .entry(TestMessage.APPLICATION_PROPERTIES, "DeadLetterReason"))
        .isEqualTo("ForwardingFailed");
    reader.forget().dispose(0, 0, false, accepted());
    assertThat(code(reader.one(DISPOSITION).field(4))).isEqualTo(0x24);
    status("bills", EntityStatus.ACTIVE);
    assertThat(taken("bills")).isEmpty();
  }

  @Test
  @Rule("S-303")
  void aLinkToADisabledDestinationIsTakenAndOneViaADisabledEntityIsNot() {
    status("bills", EntityStatus.DISABLED);
    attach(client, "q", "bills");
    assertThat(client.one(ATTACH).field(5)).isNotNull();
    var other = broker.client();
    attach(other, "bills", "q");
    assertThat(TestClient.condition(other.one(DETACH).field(2)))
        .isEqualTo(Conditions.ENTITY_DISABLED);
  }

  @Test
  @Rule({"S-205", "S-060"})
  void theTransferDeadLetterQueueOfAnyEntityCanBeReadAndIsEmptyAtFirst() {
    for (var entity : List.of("q", "t", "t/Subscriptions/s")) {
      var reader = broker.client();
      reader.receiver(0, 0, entity + "/$Transfer/$DeadLetterQueue", 0).credit(0, 10);
      assertThat(reader.take(DETACH)).as(entity).isEmpty();
      var node =
          new RequestClient(
              broker.client(), 0, entity + "/$Transfer/$DeadLetterQueue/$management", "me");
      var peek = Map.of("from-sequence-number", 0L, "message-count", 1);
      assertThat(node.manage("peek-message", peek).status()).isEqualTo(204);
    }
    client.receiver(0, 1, "nowhere/$Transfer/$DeadLetterQueue", 0);
    assertThat(TestClient.condition(client.one(DETACH).field(2))).isEqualTo(Conditions.NOT_FOUND);
    client.forget().receiver(0, 2, "q/$Transfer", 0);
    assertThat(TestClient.condition(client.one(DETACH).field(2))).isEqualTo(Conditions.NOT_FOUND);
    client.forget().sender(0, 3, "q/$Transfer/$DeadLetterQueue");
    assertThat(TestClient.condition(client.one(DETACH).field(2))).isEqualTo(Conditions.NOT_ALLOWED);
    assertThat(broker.shard.catalogue().queues()).as("nobody is shown them").hasSize(6);
  }

  @Test
  @Rule("S-205")
  void whereTheyCannotBeMadeTheLinkIsRefusedAndNobodyAsksOn() {
    broker.journal.setTakesSends(false);
    for (var address : List.of(TRANSFER_DEAD_LETTERS, TRANSFER_DEAD_LETTERS + "/$management")) {
      var reader = broker.client();

      reader.receiver(0, 0, address, 0).credit(0, 10);

      assertThat(TestClient.condition(reader.one(DETACH).field(2)))
          .as(address)
          .isEqualTo(Conditions.RESOURCE_LIMIT_EXCEEDED);
    }
    var sender = broker.client().sender(0, 0, TRANSFER_DEAD_LETTERS + "/$management");
    assertThat(TestClient.condition(sender.one(DETACH).field(2)))
        .isEqualTo(Conditions.RESOURCE_LIMIT_EXCEEDED);
    broker.journal.setTakesSends(true);
    client.receiver(0, 1, TRANSFER_DEAD_LETTERS, 0);
    assertThat(client.take(DETACH)).isEmpty();
  }

  @Test
  @Rule("S-205")
  void whoMayNotListenIsRefusedBeforeAnythingIsMade() {
    var sender = broker.client("sender", BrokerFixture.SEND_KEY);

    sender.receiver(0, 0, TRANSFER_DEAD_LETTERS, 0);

    assertThat(TestClient.condition(sender.one(DETACH).field(2)))
        .isEqualTo(Conditions.UNAUTHORIZED);
    assertThat(broker.shard.catalogue().transfers("q")).isNull();
  }

  @Test
  @Rule({"S-303", "I-27"})
  void aTransactionViaAnEntityCommitsThoughItsDestinationIsDisabled() {
    var apart = new Coordinator(client.begin(1), 1, 3);
    client.sender(0, 0, "q");
    attach(client, "q", "bills").forget();
    var transaction = apart.declare();
    apart.send(transaction, VIA, "bill");
    status("bills", EntityStatus.DISABLED);

    assertThat(apart.commit(transaction)).isNull();

    assertThat(taken("q/$Transfer/$DeadLetterQueue")).containsExactly("bill");
  }

  // --- subscriptions ---

  /** A message under its lock in the subscription, which is the first link of the session. */
  private void received(TestClient by, String text) {
    var publisher = broker.client().sender(0, 0, "t");
    publisher.message(0, TestMessage.text(text)).leave();
    by.receiver(0, 1, "t/Subscriptions/s", 0).credit(1, 1).forget();
  }

  @Test
  @Rule({"S-394", "S-392", "S-393"})
  void aTransactionFromASubscriptionGoesViaItsTopic() {
    received(client, "order");
    var shared = Coordinator.of(client);
    client.sender(0, 0, "bills").sender(0, 4, "t").forget();
    var transaction = shared.declare();

    assertThat(code(shared.settle(transaction, 0, 0, accepted())))
        .isEqualTo(Coordinator.TRANSACTIONAL);
    assertThat(code(shared.send(transaction, 0, "bill"))).isEqualTo(Coordinator.TRANSACTIONAL);
    assertThat(code(shared.send(transaction, 4, "event"))).isEqualTo(Coordinator.TRANSACTIONAL);

    client.receiver(0, 5, "t/Subscriptions/u", 0); // of the same topic
    assertThat(client.one(ATTACH).field(5)).isNotNull();
    client.receiver(0, 6, "other", 0);
    assertThat(TestClient.condition(client.one(DETACH).field(2))).isEqualTo(Conditions.NOT_ALLOWED);
    client.forget();
    assertThat(shared.commit(transaction)).isNull();
    assertThat(taken("bills")).containsExactly("bill");
    assertThat(taken("t/Subscriptions/s")).containsExactly("event");
    assertThat(taken("t/Subscriptions/u")).containsExactly("order", "event");
  }

  @Test
  @Rule({"S-390", "S-394"})
  void aTopicAndItsSubscriptionsAreOneEntityOfATransaction() {
    received(client, "order");
    var apart = new Coordinator(client.begin(1), 1, 3);
    client.sender(0, 0, "T").sender(0, 4, "bills").forget();
    var transaction = apart.declare();

    apart.settle(transaction, 0, 0, accepted());
    assertThat(code(apart.send(transaction, 0, "event"))).isEqualTo(Coordinator.TRANSACTIONAL);

    assertThat(condition(apart.send(transaction, 4, "bill"))).isEqualTo(Conditions.NOT_ALLOWED);
  }

  @Test
  @Rule("S-394")
  void whoMayNotSendToTheTopicSendsNothingFromItsSubscription() {
    var one = broker.anonymous();
    var tokens = new RequestClient(one, 0, "$cbs", "cbs");
    var ends = broker.clock.wallMillis() / 1_000 + 9_000;
    tokens.putToken(
        "amqp://localhost/t/Subscriptions/s",
        Sas.token("t/Subscriptions/s", "listener", BrokerFixture.LISTEN_KEY, ends));
    tokens.putToken(
        "amqp://localhost/bills", Sas.token("bills", "sender", BrokerFixture.SEND_KEY, ends));
    received(one, "order");
    var shared = Coordinator.of(one);
    one.sender(0, 0, "bills").forget();

    assertThat(condition(shared.send(shared.declare(), 0, "bill")))
        .isEqualTo(Conditions.UNAUTHORIZED);

    tokens.putToken("amqp://localhost/t", Sas.token("t", "sender", BrokerFixture.SEND_KEY, ends));
    one.forget();
    assertThat(code(shared.send(shared.declare(), 0, "bill"))).isEqualTo(Coordinator.TRANSACTIONAL);
  }
}
