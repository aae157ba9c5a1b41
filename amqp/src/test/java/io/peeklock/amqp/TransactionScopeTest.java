package io.peeklock.amqp;

import static io.peeklock.amqp.Coordinator.condition;
import static io.peeklock.amqp.Coordinator.in;
import static io.peeklock.amqp.TestClient.ATTACH;
import static io.peeklock.amqp.TestClient.DETACH;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.accepted;
import static io.peeklock.amqp.TestClient.code;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.RequestClient.Answer;
import io.peeklock.amqp.TestMessage.Parsed;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.Timestamp;
import io.peeklock.amqp.engine.codec.TypedArray;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.message.LockTokens;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a transaction may reach: work of the management node, and other entities. */
class TransactionScopeTest {
  private final BrokerFixture broker = new BrokerFixture().queue(QueueDefinition.named("bills"));
  private final TestClient client = broker.client();
  private final Coordinator coordinator = Coordinator.of(client);

  private static final Map<String, Object> PEEK =
      Map.of("from-sequence-number", 0L, "message-count", 9);

  private List<String> taken(String queue) {
    var other = broker.client();
    other.receiver(0, 0, queue, 1).credit(0, 100);
    var messages = other.take(TRANSFER);
    other.leave();
    return messages.stream().map(frame -> Parsed.of(frame.payload()).body()).toList();
  }

  // --- the management node ---

  private RequestClient management() {
    client.sender(0, 0, "q").receiver(0, 1, "q", 0).forget();
    return new RequestClient(client, 0, "q/$management", "answers");
  }

  /** A message that is locked, by its token. */
  private UUID peekLock(String text) {
    client.message(0, TestMessage.text(text)).forget();
    client.credit(1, 10);
    var tag = (byte[]) TestClient.there(client.one(TRANSFER).field(2));
    client.forget();
    return LockTokens.uuid(tag, 0);
  }

  private static Map<String, Object> settling(UUID token, String how) {
    var body = new LinkedHashMap<String, Object>();
    body.put("disposition-status", how);
    body.put("lock-tokens", TypedArray.ofUuids(List.of(token)));
    return body;
  }

  @Test
  @Rule({"S-403", "S-376", "S-381"})
  void aTokenIsSettledThroughTheManagementNodeInATransaction() {
    var node = management();
    var token = peekLock("order");
    var rolledBack = coordinator.declare();
    assertThat(
            node.manageIn(rolledBack, "update-disposition", settling(token, "completed")).status())
        .isEqualTo(200);
    assertThat(coordinator.rollBack(rolledBack)).isNull();
    var transaction = coordinator.declare();
    var dead = settling(token, "suspended");
    dead.put("deadletter-reason", "bad");

    assertThat(node.manageIn(transaction, "update-disposition", dead).status()).isEqualTo(200);
    var again = node.manageIn(transaction, "update-disposition", settling(token, "completed"));

    assertThat(again.status()).isEqualTo(410);
    assertThat(again.condition()).isEqualTo(new Symbol(Conditions.MESSAGE_LOCK_LOST));
    assertThat(coordinator.commit(transaction)).isEqualTo(Conditions.TRANSACTION_ROLLBACK);
    var last = coordinator.declare();
    assertThat(node.manageIn(last, "update-disposition", dead).status()).isEqualTo(200);
    assertThat(coordinator.commit(last)).isNull();
    assertThat(taken("q/$deadletterqueue")).containsExactly("order");
  }

  @Test
  @Rule({"S-398", "S-399"})
  void aRequestInATransactionThatIsNotThereIsRefused() {
    var node = management();
    var token = peekLock("order");

    var answer = node.manageIn(new byte[16], "update-disposition", settling(token, "completed"));

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.condition()).isEqualTo(new Symbol(Conditions.TRANSACTION_UNKNOWN));
    var transaction = coordinator.declare();
    client.send(client.transferIn(in(transaction, null), 0, 0, false, new byte[] {7})).forget();
    var failed = node.manageIn(transaction, "update-disposition", settling(token, "completed"));
    assertThat(failed.condition()).isEqualTo(new Symbol(Conditions.TRANSACTION_ROLLBACK));
    assertThat(node.manage("update-disposition", settling(token, "completed")).status())
        .isEqualTo(200);
  }

  @Test
  @Rule("S-377")
  void aLockIsRenewedAtOnceWhateverBecomesOfTheTransaction() {
    var node = management();
    var token = peekLock("order");
    var transaction = coordinator.declare();
    broker.advance(Duration.ofSeconds(50));

    var renewed =
        node.manageIn(
            transaction, "renew-lock", Map.of("lock-tokens", TypedArray.ofUuids(List.of(token))));
    assertThat(coordinator.rollBack(transaction)).isNull();
    broker.advance(Duration.ofSeconds(50));

    assertThat(renewed.status()).isEqualTo(200);
    assertThat(taken("q")).isEmpty();
  }

  private static Map<String, Object> scheduling(BrokerFixture broker) {
    var message =
        new TestMessage()
            .section(
                TestMessage.ANNOTATIONS,
                Map.of(
                    new Symbol("x-opt-scheduled-enqueue-time"),
                    new Timestamp(broker.clock.wallMillis() + 60_000)))
            .section(TestMessage.DATA, new byte[] {'a'})
            .bytes();
    var entry = new LinkedHashMap<String, Object>();
    entry.put("message-id", "a");
    entry.put("message", message);
    return Map.of("messages", List.of(entry));
  }

  @Test
  @Rule({"S-160", "S-154", "S-376"})
  void aCancellationHappensAtTheCommitAndOneThatCannotIsRefusedAtOnce() {
    var node = management();
    for (var i = 0; i < 3; i++) {
      assertThat(node.manage("schedule-message", scheduling(broker)).status()).isEqualTo(200);
    }
    var rolledBack = coordinator.declare();
    assertThat(cancel(node, rolledBack, 1).status()).isEqualTo(200);
    assertThat(coordinator.rollBack(rolledBack)).isNull();
    var transaction = coordinator.declare();
    assertThat(cancel(node, transaction, 1).status()).isEqualTo(200);
    assertThat(cancel(node, transaction, 2).status()).isEqualTo(200);
    assertThat(coordinator.commit(transaction)).isNull();
    var late = coordinator.declare();
    var answer = cancel(node, late, 2);
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.condition()).isEqualTo(new Symbol(Conditions.MESSAGE_NOT_FOUND));
    assertThat(coordinator.commit(late)).isEqualTo(Conditions.TRANSACTION_ROLLBACK);

    broker.advance(Duration.ofSeconds(61));

    assertThat(taken("q")).containsExactly("a");
  }

  private static Answer cancel(RequestClient node, byte[] transaction, long number) {
    return node.manageIn(
        transaction,
        "cancel-scheduled-message",
        Map.of("sequence-numbers", TypedArray.ofLongs(number)));
  }

  private static long numberIn(Answer answer) {
    assertThat(answer.status()).isEqualTo(200);
    var numbers = ((TypedArray) TestClient.there(answer.body("sequence-numbers"))).elements();
    return (Long) TestClient.there(numbers.getFirst());
  }

  @Test
  @Rule({"S-160", "S-149", "S-376"})
  void whatIsScheduledInATransactionHasItsNumberAtOnceAndIsThereAfterTheCommit() {
    var node = management();
    var transaction = coordinator.declare();
    var first = numberIn(node.manageIn(transaction, "schedule-message", scheduling(broker)));
    var second = numberIn(node.manageIn(transaction, "schedule-message", scheduling(broker)));
    coordinator.send(transaction, 0, "now");
    client.message(0, TestMessage.text("before")).forget();
    assertThat(taken("q")).containsExactly("before");
    assertThat(node.manage("peek-message", PEEK).status()).isEqualTo(204);

    assertThat(coordinator.commit(transaction)).isNull();

    assertThat(taken("q")).containsExactly("now");
    assertThat((List<?>) node.manage("peek-message", PEEK).body("messages")).hasSize(2);
    var cancelling = Map.of("sequence-numbers", TypedArray.ofLongs(second));
    assertThat(node.manage("cancel-scheduled-message", cancelling).status()).isEqualTo(200);
    broker.advance(Duration.ofSeconds(61));
    assertThat(taken("q")).containsExactly("a");
    assertThat(second).isEqualTo(first + 1);
    assertThat(broker.journal.leaks()).isZero();
  }

  @Test
  @Rule({"S-160", "S-380"})
  void whatIsScheduledInATransactionThatIsRolledBackNeverIs() {
    var node = management();
    var transaction = coordinator.declare();
    var number = numberIn(node.manageIn(transaction, "schedule-message", scheduling(broker)));

    assertThat(coordinator.rollBack(transaction)).isNull();

    broker.advance(Duration.ofSeconds(61));
    assertThat(taken("q")).isEmpty();
    assertThat(cancel(node, coordinator.declare(), number).status()).isEqualTo(404);
    assertThat(broker.journal.leaks()).isZero();
  }

  @Test
  @Rule({"S-388", "S-399"})
  void schedulesCountAsMessagesAndABadOneFailsTheTransaction() {
    var node = management();
    var full = coordinator.declare();
    coordinator.send(full, 0, "one");
    var hundred = Map.of("messages", Collections.nCopies(100, listed().getFirst()));
    assertThat(node.manageIn(full, "schedule-message", hundred).condition())
        .isEqualTo(new Symbol(Conditions.RESOURCE_LIMIT_EXCEEDED));
    assertThat(coordinator.commit(full)).isEqualTo(Conditions.TRANSACTION_ROLLBACK);
    var bad = coordinator.declare();
    var wrong = Map.of("messages", List.of(Map.of("message", new byte[] {7})));
    assertThat(node.manageIn(bad, "schedule-message", wrong).status()).isEqualTo(400);
    assertThat(coordinator.commit(bad)).isEqualTo(Conditions.TRANSACTION_ROLLBACK);
    var unknown = node.manageIn(new byte[16], "schedule-message", scheduling(broker));
    assertThat(unknown.condition()).isEqualTo(new Symbol(Conditions.TRANSACTION_UNKNOWN));

    broker.advance(Duration.ofSeconds(61));
    assertThat(taken("q")).isEmpty();
  }

  private List<?> listed() {
    return (List<?>) TestClient.there(scheduling(broker).get("messages"));
  }

  // --- several entities ---

  @Test
  @Rule("S-391")
  void outsideOfTheCrossEntityModeTheVendorsTiersHaveOneEntityPerTransaction() {
    var strict = new BrokerFixture(true).queue(QueueDefinition.named("bills"));
    var peer = strict.client();
    var apart = new Coordinator(peer.begin(1), 1, 3);
    peer.sender(0, 0, "q").sender(0, 2, "bills").forget();
    var transaction = apart.declare();
    assertThat(code(apart.send(transaction, 0, "a"))).isEqualTo(Coordinator.TRANSACTIONAL);
    assertThat(code(apart.send(transaction, 0, "b"))).isEqualTo(Coordinator.TRANSACTIONAL);

    assertThat(condition(apart.send(transaction, 2, "bill"))).isEqualTo(Conditions.NOT_ALLOWED);

    assertThat(apart.commit(transaction)).isEqualTo(Conditions.TRANSACTION_ROLLBACK);
  }

  @Test
  @Rule({"S-392", "S-393"})
  void inTheCrossEntityModeOneSendsToOthersButDoesNotReceiveFromThem() {
    var strict = new BrokerFixture(true).queue(QueueDefinition.named("bills"));
    var peer = strict.client();
    peer.receiver(0, 1, "q", 0).sender(0, 0, "q").sender(0, 2, "bills");
    var shared = Coordinator.of(peer);
    var transaction = shared.declare();
    shared.send(transaction, 0, "order");
    assertThat(code(shared.send(transaction, 2, "bill"))).isEqualTo(Coordinator.TRANSACTIONAL);

    peer.receiver(0, 5, "bills", 0);

    assertThat(TestClient.condition(peer.one(DETACH).field(2))).isEqualTo(Conditions.NOT_ALLOWED);
    peer.forget().receiver(0, 6, "Q", 0);
    assertThat(peer.one(ATTACH).field(5)).isNotNull();
    assertThat(shared.commit(transaction)).isNull();
    peer.begin(1).receiver(1, 7, "bills", 0);
    assertThat(peer.one(ATTACH).field(5)).isNotNull();
  }

  @Test
  @Rule("S-462")
  void theRelaxedProfileJoinsAnyEntities() {
    var apart = new Coordinator(client.begin(1), 1, 3);
    client.sender(0, 0, "q").sender(0, 2, "bills").receiver(0, 5, "bills", 0).forget();
    var transaction = apart.declare();
    apart.send(transaction, 0, "a");
    apart.send(transaction, 2, "bill");

    assertThat(apart.commit(transaction)).isNull();

    assertThat(client.credit(5, 1).take(TRANSFER)).hasSize(1);
    client.dispose(0, 0, false, accepted());
    assertThat(taken("q")).containsExactly("a");
  }

  @Test
  @Rule({"S-464", "S-465"})
  void aCoordinatorGivesNoRightToDoAnything() {
    var listener = broker.client("listener", BrokerFixture.LISTEN_KEY);
    var its = Coordinator.of(listener);
    its.declare();

    listener.sender(0, 0, "q");

    assertThat(TestClient.condition(listener.one(DETACH).field(2)))
        .isEqualTo(Conditions.UNAUTHORIZED);
  }
}
