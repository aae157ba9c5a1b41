package io.peeklock.amqp;

import static io.peeklock.amqp.Coordinator.condition;
import static io.peeklock.amqp.Coordinator.in;
import static io.peeklock.amqp.TestClient.DETACH;
import static io.peeklock.amqp.TestClient.DISPOSITION;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.accepted;
import static io.peeklock.amqp.TestClient.code;
import static io.peeklock.amqp.TestClient.released;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.TestMessage.Parsed;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.Unsigned;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.limit.AmqpBudgets;
import io.peeklock.amqp.limit.AmqpSettings;
import io.peeklock.amqp.transaction.CoordinatorLink;
import io.peeklock.amqp.transaction.TransactedChanges;
import io.peeklock.amqp.transaction.Transactions;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transactions in which something is wrong, by accident or on purpose. */
class TransactionTroubleTest {
  private static final byte[] NOBODYS = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  private static final int SENDER = 0;
  private static final int RECEIVER = 1;
  private static final int BILLS = 2;

  private final BrokerFixture broker =
      new BrokerFixture()
          .queue(QueueDefinition.named("bills"))
          .queue(new QueueDefinition("small", 60_000, 10, QueueDefinition.FOREVER, true, 400, 400))
          .queue("short", 10_000, 10, 1 << 20);
  private final TestClient client = broker.client();
  private final Coordinator coordinator = Coordinator.of(client);

  TransactionTroubleTest() {
    client.sender(0, SENDER, "q").sender(0, BILLS, "bills").receiver(0, RECEIVER, "q", 0).forget();
  }

  private List<String> taken(String queue) {
    var other = broker.client();
    other.receiver(0, 0, queue, 1).credit(0, 100);
    var messages = other.take(TRANSFER);
    other.leave();
    return messages.stream().map(frame -> Parsed.of(frame.payload()).body()).toList();
  }

  private void peekLock(String... texts) {
    for (var text : texts) {
      client.message(SENDER, TestMessage.text(text));
    }
    client.credit(RECEIVER, texts.length).forget();
  }

  @Test
  @Rule({"S-398", "I-29"})
  void whatIsOverOrNeverWasCannotBeDischarged() {
    var transaction = coordinator.declare();
    assertThat(coordinator.commit(NOBODYS)).isEqualTo(Conditions.TRANSACTION_UNKNOWN);
    assertThat(coordinator.rollBack(new byte[0])).isEqualTo(Conditions.TRANSACTION_UNKNOWN);
    assertThat(coordinator.commit(new byte[500])).isEqualTo(Conditions.TRANSACTION_UNKNOWN);
    assertThat(coordinator.commit(transaction)).isNull();

    assertThat(coordinator.commit(transaction)).isEqualTo(Conditions.TRANSACTION_UNKNOWN);
    assertThat(coordinator.rollBack(transaction)).isEqualTo(Conditions.TRANSACTION_UNKNOWN);
    assertThat(condition(coordinator.send(transaction, SENDER, "late")))
        .isEqualTo(Conditions.TRANSACTION_UNKNOWN);
    assertThat(taken("q")).isEmpty();
  }

  @Test
  @Rule({"S-396", "S-113", "S-380"})
  void whatIsSettledBeforeTheControlLinkGoesIsDecidedBeforeTheRollback() {
    peekLock("a");
    var transaction = coordinator.declare();
    coordinator.settle(transaction, 0, 0, accepted());

    // One read burst, as the client for Java closes: the release finds the lock kept.
    client.gathers(disposition(released()));
    client.perform(0, DETACH, TestClient.uint(Coordinator.HANDLE), true);

    assertThat(condition(client.one(DISPOSITION).field(4))).isEqualTo(Conditions.MESSAGE_LOCK_LOST);
    assertThat(taken("q")).isEmpty();
    broker.advance(Duration.ofSeconds(61));
    assertThat(taken("q")).containsExactly("a");
  }

  @Test
  @Rule("S-399")
  void moreSettlementsThanOneDecisionMayHaveFailTheTransaction() {
    var many = TransactedChanges.MOST + 1;
    for (var i = 0; i < many; i++) {
      client.message(SENDER, TestMessage.text("m")).forget();
    }
    client.flow(0, RECEIVER, 2L * many, many).forget();
    var transaction = coordinator.declare();
    client.forget();

    client.dispose(0, many - 1, false, in(transaction, accepted()));

    assertThat(client.take(DISPOSITION))
        .extracting(frame -> condition(frame.field(4)))
        .contains(Conditions.RESOURCE_LIMIT_EXCEEDED);
    assertThat(coordinator.commit(transaction)).isEqualTo(Conditions.TRANSACTION_ROLLBACK);
  }

  private static ByteBuf disposition(Object state) {
    return TestClient.frameBytes(
        0,
        0,
        DISPOSITION,
        Arrays.asList(true, TestClient.uint(0), TestClient.uint(0), false, state),
        new byte[0]);
  }

  @Test
  @Rule({"S-398", "S-395", "T-69"})
  void workInAnUnknownTransactionIsRefusedAndLeavesTheLock() {
    peekLock("a", "b", "c");

    client.dispose(0, 1, false, in(NOBODYS, accepted()));

    var answer = client.one(DISPOSITION);
    assertThat(answer.number(2)).as("one for all of the range").isEqualTo(1);
    assertThat(condition(answer.field(4))).isEqualTo(Conditions.TRANSACTION_UNKNOWN);
    client.send(client.transferIn(in(NOBODYS, null), SENDER, 0, true, TestMessage.text("quiet")));
    assertThat(client.take(DISPOSITION)).isEmpty();
    broker.advance(Duration.ofSeconds(61));
    assertThat(taken("q")).containsExactly("a", "b", "c");
  }

  @Test
  @Rule({"S-399", "S-383", "I-27"})
  void aSettlementThatFailsTakesTheTransactionWithItAndTheClientSeesIt() {
    peekLock("a", "b");
    var transaction = coordinator.declare();
    coordinator.send(transaction, BILLS, "bill");
    coordinator.settle(transaction, 0, 0, accepted());
    broker.advance(Duration.ofSeconds(61));

    var answer = coordinator.settle(transaction, 1, 1, accepted());

    assertThat(code(answer)).as("not inside of the transaction: Java").isEqualTo(0x25);
    assertThat(condition(answer)).isEqualTo(Conditions.MESSAGE_LOCK_LOST);
    assertThat(coordinator.commit(transaction)).isEqualTo(Conditions.TRANSACTION_ROLLBACK);
    assertThat(taken("bills")).isEmpty();
    assertThat(taken("q")).containsExactly("a", "b");
  }

  @Test
  @Rule({"S-399", "T-69"})
  void oneLostLockInARangeRefusesTheOthersAsRolledBack() {
    client.receiver(0, 5, "short", 0).sender(0, 6, "short");
    client.message(6, TestMessage.text("a")).credit(5, 2);
    broker.advance(Duration.ofSeconds(9));
    client.message(6, TestMessage.text("b"));
    broker.advance(Duration.ofSeconds(2));
    client.forget();
    var transaction = coordinator.declare();

    client.dispose(0, 1, false, in(transaction, accepted()));

    assertThat(client.take(DISPOSITION))
        .extracting(answer -> condition(answer.field(4)))
        .containsExactly(Conditions.MESSAGE_LOCK_LOST, Conditions.TRANSACTION_ROLLBACK);
    assertThat(coordinator.commit(transaction)).isEqualTo(Conditions.TRANSACTION_ROLLBACK);
  }

  @Test
  @Rule({"S-399", "I-27"})
  void aMessageThatIsRefusedTakesTheTransactionWithIt() {
    var transaction = coordinator.declare();
    coordinator.send(transaction, BILLS, "good");

    client.send(client.transferIn(in(transaction, null), SENDER, 0, false, new byte[] {7}));

    assertThat(condition(coordinator.answer())).isEqualTo(Conditions.DECODE_ERROR);
    assertThat(coordinator.commit(transaction)).isEqualTo(Conditions.TRANSACTION_ROLLBACK);
    assertThat(coordinator.commit(transaction)).isEqualTo(Conditions.TRANSACTION_UNKNOWN);
    assertThat(taken("bills")).isEmpty();
  }

  @Test
  void aTransactionThatFailedCanBeRolledBackInPeace() {
    var transaction = coordinator.declare();
    client.send(client.transferIn(in(transaction, null), SENDER, 0, false, new byte[] {7}));
    client.forget();

    assertThat(coordinator.rollBack(transaction)).isNull();
  }

  @Test
  @Rule({"S-399", "I-08", "I-27"})
  void whatTheQueueRefusesAtTheCommitRefusesAllOfIt() {
    client.sender(0, 3, "small").forget();
    peekLock("order");
    var transaction = coordinator.declare();
    coordinator.send(transaction, BILLS, "bill");
    coordinator.settle(transaction, 0, 0, accepted());
    for (var i = 0; i < 9; i++) {
      coordinator.send(transaction, 3, "too much");
    }

    assertThat(coordinator.commit(transaction)).isEqualTo(Conditions.TRANSACTION_ROLLBACK);

    assertThat(taken("bills")).isEmpty();
    assertThat(taken("small")).isEmpty();
    assertThat(broker.journal.leaks()).isZero();
    broker.advance(Duration.ofSeconds(61));
    assertThat(taken("q")).containsExactly("order");
  }

  @Test
  @Rule("S-397")
  void aControlMessageThatIsSentSettledEndsTheLinkAndItsTransactions() {
    var transaction = coordinator.declare();
    coordinator.send(transaction, BILLS, "bill");

    coordinator.says(true, Coordinator.discharging(transaction, false));

    assertThat(TestClient.condition(client.one(DETACH).field(2))).isEqualTo(Conditions.NOT_ALLOWED);
    assertThat(taken("bills")).isEmpty();
    assertThat(condition(coordinator.send(transaction, BILLS, "more")))
        .isEqualTo(Conditions.TRANSACTION_UNKNOWN);
  }

  @Test
  void whatIsNoDeclareAndNoDischargeIsRefusedAndTheLinkLives() {
    var nonsense =
        List.of(
            new byte[0],
            new byte[] {0, 0x53, 0x77},
            TestMessage.text("hello"),
            Coordinator.body(new Unsigned.Ulong(0x33), NOBODYS),
            Coordinator.body(new Symbol("amqp:accepted:list")),
            Coordinator.body("text"),
            Coordinator.body(new Unsigned.Ulong(Coordinator.DISCHARGE)),
            Coordinator.body(new Unsigned.Ulong(Coordinator.DISCHARGE), "text", false),
            new TestMessage().section(TestMessage.VALUE, 5).bytes());
    for (var message : nonsense) {
      coordinator.says(false, message);
      assertThat(condition(coordinator.answer())).isEqualTo(Conditions.DECODE_ERROR);
    }

    client.inFrames(Coordinator.HANDLE, new byte[CoordinatorLink.MOST_BYTES + 1], 1_000);
    assertThat(condition(coordinator.answer())).isEqualTo(Conditions.DECODE_ERROR);
    client.inFrames(Coordinator.HANDLE, Coordinator.declaring(null), 3);
    assertThat(code(coordinator.answer())).isEqualTo(Coordinator.DECLARED);
  }

  @Test
  @Rule("S-402")
  void aDistributedTransactionIsNotImplemented() {
    coordinator.says(false, Coordinator.declaring(NOBODYS));

    assertThat(condition(coordinator.answer())).isEqualTo(Conditions.NOT_IMPLEMENTED);
  }

  @Test
  void whatWaitsInOpenTransactionsIsBoundedInTheSumOfAllConnections() {
    var budgets = AmqpBudgets.of(16 * 20_000, 64 << 20);
    var small = new BrokerFixture(budgets);
    var first = small.client();
    var second = small.client();
    for (var peer : List.of(first, second)) {
      peer.sender(0, SENDER, "q").forget();
    }
    var its = Coordinator.of(first);
    var others = Coordinator.of(second);
    its.send(its.declare(), SENDER, "x".repeat(8_000));
    assertThat(budgets.transactions().taken()).isGreaterThan(8_000);

    var refused = others.send(others.declare(), SENDER, "x".repeat(8_000));

    assertThat(condition(refused)).isEqualTo(Conditions.RESOURCE_LIMIT_EXCEEDED);
    second.leave();
    var again = small.client();
    again.sender(0, SENDER, "q").forget();
    var next = Coordinator.of(again);
    assertThat(code(next.send(next.declare(), SENDER, "x".repeat(1_000)))).isEqualTo(0x34);
    first.leave();
    again.leave();
    assertThat(budgets.transactions().taken()).isZero();
  }

  @Test
  void openTransactionsAreBoundedAndThoseThatTimeEndedMakeRoom() {
    var first = coordinator.declare();
    coordinator.send(first, BILLS, "bill");
    for (var i = 1; i < Transactions.MOST_OPEN; i++) {
      coordinator.declare();
    }
    coordinator.says(false, Coordinator.declaring(null));
    assertThat(condition(coordinator.answer())).isEqualTo(Conditions.RESOURCE_LIMIT_EXCEEDED);

    broker.advance(Duration.ofSeconds(121));
    client.forget();
    coordinator.declare();

    assertThat(coordinator.commit(first)).isEqualTo(Conditions.TRANSACTION_UNKNOWN);
  }

  @Test
  @Rule("S-465")
  void anUnauthenticatedClientHasAFewTransactionsOnly() {
    var its = Coordinator.of(broker.anonymous());
    for (var i = 0; i < Transactions.MOST_UNAUTHENTICATED; i++) {
      its.declare();
    }

    its.says(false, Coordinator.declaring(null));

    assertThat(condition(its.answer())).isEqualTo(Conditions.RESOURCE_LIMIT_EXCEEDED);
  }

  @Test
  void whatWaitsInTransactionsIsBoundedInBytes() {
    var tight = new AmqpSettings.Limits(64, 1 << 20, 10_000, 2, 2_000, 1_000, 1 << 20, 3);
    var small = new BrokerFixture(tight);
    var peer = small.client();
    var its = Coordinator.of(peer);
    peer.sender(0, SENDER, "q").forget();
    var transaction = its.declare();
    var text = "x".repeat(4_000);
    its.send(transaction, SENDER, text);
    its.send(transaction, SENDER, text);

    assertThat(condition(its.send(transaction, SENDER, text)))
        .isEqualTo(Conditions.RESOURCE_LIMIT_EXCEEDED);

    assertThat(its.commit(transaction)).isEqualTo(Conditions.TRANSACTION_ROLLBACK);
    var next = its.declare();
    its.send(next, SENDER, text);
    assertThat(its.commit(next)).isNull();
  }

  @ParameterizedTest(name = "on every frame: {0}")
  @ValueSource(booleans = {true, false})
  @Rule("S-376")
  void theStateMayBeOnEveryFrameOrOnOneOnly(boolean everyFrame) {
    var transaction = coordinator.declare();
    var message = TestMessage.text("x".repeat(500));
    for (var at = 0; at < message.length; at += 200) {
      var end = Math.min(message.length, at + 200);
      client.send(
          TestClient.frameBytes(
              0,
              0,
              TRANSFER,
              Arrays.asList(
                  TestClient.uint(BILLS),
                  TestClient.uint(9),
                  new byte[] {1},
                  TestClient.uint(0),
                  false,
                  end < message.length,
                  null,
                  everyFrame || at == 0 ? in(transaction, null) : null),
              Arrays.copyOfRange(message, at, end)));
    }

    assertThat(code(coordinator.answer())).isEqualTo(Coordinator.TRANSACTIONAL);
    assertThat(taken("bills")).isEmpty();
    assertThat(coordinator.commit(transaction)).isNull();
    assertThat(taken("bills")).hasSize(1);
  }

  @Test
  @Rule({"S-376", "S-399"})
  void aMessageThatWasRefusedBeforeItsStateCameFailsTheTransaction() {
    client.sender(0, 3, "small").forget();
    var transaction = coordinator.declare();
    var message = TestMessage.text("x".repeat(900));
    for (var half = 0; half < 2; half++) {
      client.send(
          TestClient.frameBytes(
              0,
              0,
              TRANSFER,
              Arrays.asList(
                  TestClient.uint(3),
                  TestClient.uint(9),
                  new byte[] {1},
                  TestClient.uint(0),
                  false,
                  half == 0,
                  null,
                  half == 0 ? null : in(transaction, null)),
              Arrays.copyOfRange(message, half * 450, half * 450 + 450)));
    }

    assertThat(condition(coordinator.answer())).isEqualTo(Conditions.MESSAGE_SIZE_EXCEEDED);
    assertThat(coordinator.commit(transaction)).isEqualTo(Conditions.TRANSACTION_ROLLBACK);
  }

  @Test
  @Rule("I-29")
  void aMessageWhoseLastFrameComesAfterTheDischargeIsNotPartOfIt() {
    var transaction = coordinator.declare();
    var message = TestMessage.text("x".repeat(500));
    client.send(frame(transaction, message, 0, 300));
    assertThat(coordinator.commit(transaction)).isNull();

    client.send(frame(transaction, message, 300, message.length));

    assertThat(condition(coordinator.answer())).isEqualTo(Conditions.TRANSACTION_UNKNOWN);
    assertThat(taken("bills")).isEmpty();
  }

  private static ByteBuf frame(byte[] id, byte[] message, int from, int to) {
    return TestClient.frameBytes(
        0,
        0,
        TRANSFER,
        Arrays.asList(
            TestClient.uint(BILLS),
            TestClient.uint(9),
            new byte[] {1},
            TestClient.uint(0),
            false,
            to < message.length,
            null,
            in(id, null)),
        Arrays.copyOfRange(message, from, to));
  }

  @Test
  @Rule("S-378")
  void whatWasReceivedAndDeletedIsGoneWhateverTheTransaction() {
    client.message(SENDER, TestMessage.text("a"));
    client.receiver(0, 5, "q", 1).credit(5, 1);
    assertThat(client.take(TRANSFER)).hasSize(1);
    client.forget();
    var transaction = coordinator.declare();

    client.dispose(0, 0, false, in(transaction, accepted()));

    assertThat(client.take(DISPOSITION)).isEmpty();
    assertThat(coordinator.rollBack(transaction)).isNull();
    broker.advance(Duration.ofSeconds(61));
    assertThat(taken("q")).isEmpty();
  }

  @Test
  @Rule({"S-379", "S-380"})
  void aSettlementThatNobodyWaitsForIsPartOfItToo() { // as Qpid JMS settles
    peekLock("a", "b");
    var transaction = coordinator.declare();

    client.dispose(0, 0, true, in(transaction, accepted()));
    assertThat(client.take(DISPOSITION)).isEmpty();
    assertThat(coordinator.commit(transaction)).isNull();

    broker.advance(Duration.ofSeconds(61));
    assertThat(taken("q")).containsExactly("b");
  }

  @Test
  @Rule({"S-399", "I-27"})
  void aSettlementThatNobodyWaitsForStillFailsTheTransaction() {
    peekLock("a");
    var transaction = coordinator.declare();
    coordinator.send(transaction, BILLS, "bill");
    broker.advance(Duration.ofSeconds(61));

    client.dispose(0, 0, true, in(transaction, accepted()));

    assertThat(coordinator.commit(transaction)).isEqualTo(Conditions.TRANSACTION_ROLLBACK);
    assertThat(taken("bills")).isEmpty();
  }
}
