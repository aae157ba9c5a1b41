package io.peeklock.amqp;

import static io.peeklock.amqp.Coordinator.TRANSACTIONAL;
import static io.peeklock.amqp.Coordinator.in;
import static io.peeklock.amqp.TestClient.ATTACH;
import static io.peeklock.amqp.TestClient.DETACH;
import static io.peeklock.amqp.TestClient.DISPOSITION;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.accepted;
import static io.peeklock.amqp.TestClient.code;
import static io.peeklock.amqp.TestClient.inside;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.peeklock.amqp.TestMessage.Parsed;
import io.peeklock.amqp.engine.codec.Described;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Transactions as they go well, and as they end. */
class TransactionTest {
  private static final int BATCH = 0x80013700;
  private static final int SENDER = 0;
  private static final int RECEIVER = 1;
  private static final int BILLS = 2;

  private final BrokerFixture broker =
      new BrokerFixture().queue(QueueDefinition.named("bills")).queue("short", 10_000, 10, 1 << 20);
  private final TestClient client = broker.client();
  private final Coordinator coordinator = Coordinator.of(client);

  TransactionTest() {
    client.sender(0, SENDER, "q").sender(0, BILLS, "bills").receiver(0, RECEIVER, "q", 0).forget();
  }

  /** What somebody else can take from a queue now. */
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
    client.credit(RECEIVER, texts.length);
    assertThat(client.take(TRANSFER)).hasSize(texts.length);
    client.forget();
  }

  /** The outcome inside of a transactional state of this transaction. */
  private static Described outcomeIn(byte[] transaction, @Nullable Object state) {
    assertThat(code(state)).isEqualTo(TRANSACTIONAL);
    var fields = (List<?>) TestClient.there(TestClient.described(state).value());
    assertThat(fields).hasSize(2);
    assertThat((byte[]) fields.get(0)).isEqualTo(transaction);
    return TestClient.described(fields.get(1));
  }

  @Test
  @Rule({"S-376", "S-379", "S-385", "S-390", "T-63", "I-27", "I-28"})
  void aCommitSendsAndCompletesAtOnceAndNobodySeesAnythingBefore() {
    peekLock("order");
    var transaction = coordinator.declare();

    var sent = outcomeIn(transaction, coordinator.send(transaction, BILLS, "bill"));
    var settled = outcomeIn(transaction, coordinator.settle(transaction, 0, 0, accepted()));

    assertThat(transaction).hasSize(16);
    assertThat(code(sent)).isEqualTo(0x24);
    assertThat(code(settled)).isEqualTo(0x24);
    assertThat(taken("bills")).isEmpty();
    assertThat(coordinator.commit(transaction)).isNull();
    assertThat(taken("bills")).containsExactly("bill");
    broker.advance(Duration.ofSeconds(61));
    assertThat(taken("q")).isEmpty();
  }

  @Test
  @Rule({"I-29", "S-004"})
  void aCommitIsAnsweredOnceItIsDurableAndIsOneBatchOfTheLog() {
    peekLock("order");
    var transaction = coordinator.declare();
    coordinator.send(transaction, BILLS, "bill");
    coordinator.send(transaction, SENDER, "next");
    coordinator.settle(transaction, 0, 0, accepted());
    var before = broker.journal.durableBatches().size();
    broker.journal.holdSyncs();

    coordinator.says(false, Coordinator.discharging(transaction, false));

    assertThat(client.take(DISPOSITION)).isEmpty();
    broker.journal.sync();
    broker.settle();
    assertThat(client.take(DISPOSITION)).hasSize(2);
    assertThat(broker.journal.durableBatches()).hasSize(before + 1);
  }

  @Test
  @Rule({"S-380", "S-381", "S-397"})
  void aRollbackLeavesTheLockAndItsTokenIsGoodAgain() {
    peekLock("order");
    var transaction = coordinator.declare();
    coordinator.send(transaction, BILLS, "bill");
    coordinator.settle(transaction, 0, 0, accepted());
    var again = coordinator.declare();

    assertThat(coordinator.rollBack(transaction)).isNull();

    assertThat(coordinator.settled()).isEmpty();
    assertThat(taken("bills")).isEmpty();
    assertThat(taken("q")).isEmpty();
    assertThat(coordinator.commit(again)).isNull();
  }

  @Test
  @Rule({"S-381", "S-379", "T-43", "T-63"})
  void aSettlementIsToldAsSettledAtTheCommitOnly() {
    peekLock("order");
    var transaction = coordinator.declare();

    client.dispose(0, 0, false, in(transaction, accepted()));
    var inside = client.one(DISPOSITION);
    assertThat(inside.field(3)).isEqualTo(false);
    assertThat(code(outcomeIn(transaction, inside.field(4)))).isEqualTo(0x24);

    client.dispose(0, 0, false, in(transaction, accepted())); // said twice, done once
    assertThat(client.one(DISPOSITION).field(3)).isEqualTo(false);
    assertThat(coordinator.commit(transaction)).isNull();

    assertThat(coordinator.settled()).hasSize(1);
    var settled = coordinator.settled().getFirst();
    assertThat(settled.number(1)).isZero();
    assertThat(settled.field(3)).isEqualTo(true);
    assertThat(code(outcomeIn(transaction, settled.field(4)))).isEqualTo(0x24);
    broker.advance(Duration.ofSeconds(61));
    assertThat(taken("q")).isEmpty();
  }

  @Test
  @Rule("S-383")
  void anotherSettlementOfTheSameMessageIsRefused() {
    peekLock("order");
    var transaction = coordinator.declare();
    client.dispose(0, 0, false, in(transaction, accepted())).forget();

    client.dispose(0, 0, false, in(transaction, TestClient.modified(true, Map.of())));

    var answer = client.one(DISPOSITION);
    assertThat(answer.field(3)).isEqualTo(false);
    assertThat(TestClient.condition(TestClient.inside(answer.field(4))))
        .isEqualTo(Conditions.MESSAGE_LOCK_LOST);
    assertThat(coordinator.commit(transaction)).isNull();
    assertThat(code(outcomeIn(transaction, coordinator.settled().getFirst().field(4))))
        .isEqualTo(0x24);
  }

  @Test
  @Rule({"S-381", "S-380"})
  void afterARollbackTheReceiverThatHasTheMessageSettlesItAgain() {
    peekLock("one", "two");
    var rolledBack = coordinator.declare();
    coordinator.settle(rolledBack, 0, 1, accepted());
    assertThat(coordinator.rollBack(rolledBack)).isNull();

    client.dispose(0, 0, false, accepted());
    var answer = client.one(DISPOSITION);
    assertThat(answer.field(3)).isEqualTo(true);
    assertThat(code(answer.field(4))).isEqualTo(0x24);
    var second = coordinator.declare();
    coordinator.settle(second, 1, 1, accepted());
    assertThat(coordinator.commit(second)).isNull();

    assertThat(coordinator.settled()).hasSize(1);
    broker.advance(Duration.ofSeconds(61));
    assertThat(taken("q")).isEmpty();
  }

  @Test
  @Rule({"S-381", "S-399"})
  void whatOneTransactionHasIsRefusedToAnotherAndItsCommitToo() {
    peekLock("order");
    var first = coordinator.declare();
    var second = coordinator.declare();
    coordinator.settle(first, 0, 0, accepted());

    assertThat(Coordinator.condition(coordinator.settle(second, 0, 0, accepted())))
        .isEqualTo(Conditions.MESSAGE_LOCK_LOST);

    assertThat(coordinator.commit(second)).isEqualTo(Conditions.TRANSACTION_ROLLBACK);
    assertThat(coordinator.commit(first)).isNull();
    broker.advance(Duration.ofSeconds(61));
    assertThat(taken("q")).isEmpty();
  }

  @Test
  @Rule({"S-032", "S-034", "S-036", "S-376", "S-082"})
  void everySettlementIsAnsweredWithItsOwnKindInsideOfTheTransaction() {
    peekLock("abandoned", "deferred", "dead", "released", "done");
    var transaction = coordinator.declare();

    var kinds =
        List.of(
            TestClient.modified(false, Map.of("why", "later")),
            TestClient.modified(true, Map.of()),
            TestClient.deadLetter(Map.of("DeadLetterReason", "bad")),
            TestClient.released(),
            accepted());
    for (var i = 0; i < kinds.size(); i++) {
      var outcome = outcomeIn(transaction, coordinator.settle(transaction, i, i, kinds.get(i)));
      assertThat(code(outcome)).isEqualTo(code(kinds.get(i)));
    }
    assertThat(coordinator.commit(transaction)).isNull();

    assertThat(taken("q")).containsExactly("abandoned", "released");
    var other = broker.client();
    other.receiver(0, 0, "q/$deadletterqueue", 1).credit(0, 10);
    var dead = Parsed.of(other.one(TRANSFER).payload());
    assertThat(dead.body()).isEqualTo("dead");
    assertThat(dead.entry(TestMessage.APPLICATION_PROPERTIES, "DeadLetterReason")).isEqualTo("bad");
  }

  @Test
  @Rule("S-082")
  void changedPropertiesContainThoseOfEarlierSettlements() {
    peekLock("order");
    client.dispose(0, 0, false, TestClient.modified(false, Map.of("a", 1, "b", 1)));
    client.credit(0, RECEIVER, 1, 1, false).forget();
    var transaction = coordinator.declare();

    coordinator.settle(transaction, 1, 1, TestClient.modified(false, Map.of("b", 2, "c", 2)));
    assertThat(coordinator.commit(transaction)).isNull();

    client.credit(0, RECEIVER, 2, 1, false);
    var message = Parsed.of(client.one(TRANSFER).payload());
    assertThat(message.entry(TestMessage.APPLICATION_PROPERTIES, "a")).isEqualTo(1);
    assertThat(message.entry(TestMessage.APPLICATION_PROPERTIES, "b")).isEqualTo(2);
    assertThat(message.entry(TestMessage.APPLICATION_PROPERTIES, "c")).isEqualTo(2);
  }

  @Test
  @Rule({"T-69", "T-70"})
  void aRangeIsSettledInATransactionAndAnsweredAsARange() {
    peekLock("a", "b", "c", "d");
    var transaction = coordinator.declare();

    coordinator.says(false, Coordinator.declaring(null));
    client.forget();
    client.dispose(1, 2, false, in(transaction, accepted()));

    var answer = client.one(DISPOSITION);
    assertThat(answer.number(1)).isOne();
    assertThat(answer.number(2)).isEqualTo(2);
    assertThat(coordinator.commit(transaction)).isNull();
    broker.advance(Duration.ofSeconds(61));
    assertThat(taken("q")).containsExactly("a", "d");
  }

  @Test
  void everythingMayComeInOneBurstTheDischargeIncluded() {
    peekLock("order");
    var transaction = coordinator.declare();
    var burst = Unpooled.buffer();
    burst.writeBytes(
        client.transferIn(in(transaction, null), BILLS, 0, false, TestMessage.text("bill")));
    burst.writeBytes(
        TestClient.frameBytes(
            0,
            0,
            DISPOSITION,
            Arrays.asList(
                true, TestClient.uint(0), TestClient.uint(0), false, in(transaction, accepted())),
            new byte[0]));
    burst.writeBytes(
        client.transfer(
            0, Coordinator.HANDLE, 0, false, Coordinator.discharging(transaction, false)));

    client.send(burst);

    assertThat(client.take(DISPOSITION)).hasSize(4); // of the delivery twice
    assertThat(taken("bills")).containsExactly("bill");
    broker.advance(Duration.ofSeconds(61));
    assertThat(taken("q")).isEmpty();
  }

  @Test
  @Rule({"S-388", "S-389", "S-399"})
  void oneMessageTooManyIsRefusedAndTakesTheTransactionWithIt() {
    var transaction = coordinator.declare();
    client.send(
        client.transferIn(in(transaction, null), SENDER, BATCH, false, Coordinator.batch(99)));
    assertThat(code(outcomeIn(transaction, coordinator.answer()))).isEqualTo(0x24);
    assertThat(code(coordinator.send(transaction, SENDER, "100th"))).isEqualTo(TRANSACTIONAL);

    var answer = coordinator.send(transaction, SENDER, "101st");

    assertThat(Coordinator.condition(answer)).isEqualTo(Conditions.RESOURCE_LIMIT_EXCEEDED);
    assertThat(String.valueOf(inside(answer))).contains("100");
    assertThat(Coordinator.condition(coordinator.send(transaction, SENDER, "more")))
        .isEqualTo(Conditions.TRANSACTION_ROLLBACK);
    assertThat(coordinator.commit(transaction)).isEqualTo(Conditions.TRANSACTION_ROLLBACK);
    assertThat(taken("q")).isEmpty();
  }

  @Test
  @Rule("S-388")
  void settlementsDoNotCountAndAHundredMessagesAreFine() {
    peekLock("a", "b");
    var transaction = coordinator.declare();
    client.send(
        client.transferIn(in(transaction, null), BILLS, BATCH, false, Coordinator.batch(100)));
    coordinator.answer();
    coordinator.settle(transaction, 0, 1, accepted());

    assertThat(coordinator.commit(transaction)).isNull();

    assertThat(taken("bills")).hasSize(100);
  }

  @Test
  @Rule({"S-386", "I-30"})
  void twoMinutesAfterTheFirstOperationItIsRolledBack() {
    client.receiver(0, 5, "short", 0).sender(0, 6, "short").message(6, TestMessage.text("m"));
    client.credit(5, 1).forget();
    var transaction = coordinator.declare();
    coordinator.send(transaction, BILLS, "bill");
    coordinator.settle(transaction, 0, 0, accepted());

    broker.advance(Duration.ofSeconds(119));
    assertThat(taken("short")).as("S-382: the lock is kept").isEmpty();
    broker.advance(Duration.ofSeconds(2));

    assertThat(taken("short")).containsExactly("m");
    client.forget();
    assertThat(Coordinator.condition(coordinator.send(transaction, BILLS, "late")))
        .isEqualTo(Conditions.TRANSACTION_TIMEOUT);
    assertThat(coordinator.commit(transaction)).isEqualTo(Conditions.TRANSACTION_TIMEOUT);
    assertThat(coordinator.commit(transaction)).isEqualTo(Conditions.TRANSACTION_UNKNOWN);
    assertThat(taken("bills")).isEmpty();
  }

  @Test
  @Rule("S-387")
  void theTimeOfATransactionDoesNotRunBeforeItsFirstOperation() {
    var transaction = coordinator.declare();
    broker.advance(Duration.ofSeconds(200));
    coordinator.send(transaction, BILLS, "bill");
    broker.advance(Duration.ofSeconds(119));

    assertThat(coordinator.commit(transaction)).isNull();
  }

  @Test
  @Rule({"S-396", "I-30"})
  void closingTheControlLinkRollsBackWhatIsOpen() {
    peekLock("order");
    var transaction = coordinator.declare();
    var second = new Coordinator(client, 0, 71);
    var other = second.declare();
    coordinator.send(transaction, BILLS, "bill");
    coordinator.settle(transaction, 0, 0, accepted());

    client.perform(0, DETACH, TestClient.uint(Coordinator.HANDLE), true).forget();

    assertThat(Coordinator.condition(coordinator.send(transaction, BILLS, "more")))
        .isEqualTo(Conditions.TRANSACTION_UNKNOWN);
    assertThat(second.commit(transaction)).isEqualTo(Conditions.TRANSACTION_UNKNOWN);
    assertThat(second.commit(other)).isNull();
    assertThat(taken("bills")).isEmpty();
    broker.advance(Duration.ofSeconds(61));
    assertThat(taken("q")).containsExactly("order");
  }

  @Test
  @Rule({"S-396", "I-30", "I-28"})
  void losingTheConnectionRollsBackWhatIsOpen() {
    peekLock("order");
    var transaction = coordinator.declare();
    coordinator.send(transaction, BILLS, "bill");
    coordinator.settle(transaction, 0, 0, accepted());
    client.dispose(0, 0, false, in(transaction, accepted()));

    client.leave();
    broker.settle();

    assertThat(taken("bills")).isEmpty();
    broker.advance(Duration.ofSeconds(61));
    assertThat(taken("q")).containsExactly("order");
    assertThat(broker.journal.leaks()).isZero();
  }

  @Test
  @Rule({"S-395", "S-398", "I-29"})
  void aTransactionIsKnownOnItsOwnConnectionOnly() {
    var transaction = coordinator.declare();
    coordinator.send(transaction, BILLS, "bill");
    var other = broker.client();
    var elsewhere = Coordinator.of(other);
    other.sender(0, BILLS, "bills").forget();

    assertThat(Coordinator.condition(elsewhere.send(transaction, BILLS, "stolen")))
        .isEqualTo(Conditions.TRANSACTION_UNKNOWN);
    assertThat(elsewhere.commit(transaction)).isEqualTo(Conditions.TRANSACTION_UNKNOWN);
    assertThat(elsewhere.rollBack(transaction)).isEqualTo(Conditions.TRANSACTION_UNKNOWN);
    assertThat(coordinator.commit(transaction)).isNull();
    assertThat(taken("bills")).containsExactly("bill");
  }

  @Test
  @Rule({"S-392", "S-395"})
  void anyLinkOfTheConnectionMayUseIt() {
    client.begin(1).sender(1, 0, "bills").forget();
    var transaction = coordinator.declare();
    var inSession1 =
        TestClient.frameBytes(
            0,
            1,
            TRANSFER,
            Arrays.asList(
                TestClient.uint(0),
                TestClient.uint(0),
                new byte[] {1},
                TestClient.uint(0),
                false,
                false,
                null,
                in(transaction, null)),
            TestMessage.text("bill"));

    client.send(inSession1);

    assertThat(code(outcomeIn(transaction, coordinator.answer()))).isEqualTo(0x24);
    assertThat(coordinator.commit(transaction)).isNull();
    assertThat(taken("bills")).containsExactly("bill");
  }

  @Test
  void aCoordinatorIsAttachedWithoutAToken() {
    var unauthenticated = broker.anonymous();
    unauthenticated.perform(
        0,
        ATTACH,
        "c",
        TestClient.uint(0),
        false,
        null,
        null,
        TestClient.source(null),
        TestClient.outcome(0x30, (Object) null),
        null,
        null,
        TestClient.uint(0));

    assertThat(code(unauthenticated.one(ATTACH).field(6))).isEqualTo(0x30);
    assertThat(unauthenticated.take(DETACH)).isEmpty();
  }
}
