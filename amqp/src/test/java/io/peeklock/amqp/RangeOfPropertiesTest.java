package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.DISPOSITION;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.code;
import static io.peeklock.amqp.TestClient.condition;
import static io.peeklock.amqp.TestClient.inside;
import static io.peeklock.amqp.TestClient.there;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.TestMessage.Parsed;
import io.peeklock.amqp.engine.codec.Described;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.TypedArray;
import io.peeklock.amqp.engine.limits.Budget;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.limit.AmqpBudgets;
import io.peeklock.amqp.message.RangeChanges;
import io.peeklock.proof.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Properties that one settlement changes on many messages are bounded in sum. */
class RangeOfPropertiesTest {
  private static final int MANY = 32;

  /** What each of many may bring, so that all together bring as much as may be. */
  private static final int FITS = RangeChanges.MOST_BYTES / MANY;

  /** What an encoded map with one short name has beside its text. */
  private static final int BESIDE = 17;

  private final AmqpBudgets budgets =
      new AmqpBudgets(
          new Budget(64 << 20),
          new Budget(64 << 20),
          new Budget(64 << 20),
          new Budget(64 << 20),
          new Budget(64 << 20),
          new Budget(500_000));
  private final BrokerFixture broker = new BrokerFixture(budgets);
  private final TestClient client = broker.client().sender(0, 0, "q");
  private final RequestClient node = new RequestClient(client, 0, "q/$management", "me");
  private List<UUID> tokens = List.of();

  private void lock(int count) {
    for (var i = 0; i < count; i++) {
      client.message(0, TestMessage.text("m"));
    }
    client.forget().receiver(0, 1, "q", 0).credit(1, count);
    tokens = new ArrayList<>();
    for (var frame : client.take(TRANSFER)) {
      tokens.add(ManagementTest.guid((byte[]) there(frame.field(2))));
    }
    assertThat(tokens).hasSize(count);
    client.forget();
  }

  private static Map<Symbol, String> ofBytes(int encoded) {
    return Map.of(new Symbol("k"), "x".repeat(encoded - BESIDE));
  }

  private Object settle(String status, List<UUID> which, Map<String, ?> changes) {
    client.forget();
    return there(
        node.inFrames(
                "update-disposition",
                Map.of(
                    "disposition-status",
                    status,
                    "lock-tokens",
                    TypedArray.ofUuids(which),
                    "properties-to-modify",
                    changes),
                60_000)
            .status());
  }

  private void assertStillLocked() {
    client.forget();
    var all = Map.of("lock-tokens", TypedArray.ofUuids(tokens));
    assertThat(node.manage("renew-lock", all).status()).isEqualTo(200);
  }

  private static void assertRefused(TestClient.Frame answer, int first, int last, int bytes) {
    assertThat(answer.field(1)).isEqualTo(TestClient.uint(first));
    assertThat(answer.field(2)).isEqualTo(TestClient.uint(last));
    assertThat(answer.field(3)).isEqualTo(true);
    assertThat(code(answer.field(4))).isEqualTo(0x25);
    var error = inside(answer.field(4));
    assertThat(condition(error)).isEqualTo(Conditions.RESOURCE_LIMIT_EXCEEDED);
    assertThat(TestClient.described(error).value())
        .asString()
        .contains(
            "properties of " + bytes + " bytes for each of " + (last - first + 1) + " messages")
        .contains("at most " + RangeChanges.MOST_BYTES);
  }

  @Test
  @Rule({"I-46", "S-082"})
  void asMuchAsMayBeIsChangedOnEachMessageOfARange() {
    lock(MANY);

    client.dispose(0, MANY - 1, false, TestClient.modified(false, ofBytes(FITS)));

    assertThat(code(client.one(DISPOSITION).field(4))).isEqualTo(0x27);
    client.credit(0, 1, MANY, MANY, false);
    var again = client.take(TRANSFER);
    assertThat(again).hasSizeGreaterThanOrEqualTo(MANY);
    assertThat(Parsed.of(again.getFirst().payload()).entry(TestMessage.APPLICATION_PROPERTIES, "k"))
        .isEqualTo("x".repeat(FITS - BESIDE));
  }

  @Test
  @Rule({"I-46", "I-08"})
  void moreIsRefusedForAllOfThemAndTheyStayLocked() {
    lock(MANY);

    client.dispose(0, MANY - 1, false, TestClient.modified(false, ofBytes(FITS + 1)));

    assertRefused(client.one(DISPOSITION), 0, MANY - 1, FITS + 1);
    assertStillLocked();
    assertThat(settle("completed", tokens, Map.of())).isEqualTo(200);
  }

  @Test
  @Rule({"I-46", "I-08"})
  void reasonsOfDeadLettersAndDefersAreBoundedToo() {
    lock(2 * MANY);

    client.dispose(0, MANY - 1, false, TestClient.deadLetter(ofBytes(FITS + 1)));
    client.dispose(MANY, 2 * MANY - 1, false, TestClient.modified(true, ofBytes(FITS + 1)));

    var answers = client.take(DISPOSITION);
    assertThat(answers).hasSize(2);
    assertRefused(answers.getFirst(), 0, MANY - 1, FITS + 1);
    assertRefused(answers.getLast(), MANY, 2 * MANY - 1, FITS + 1);
    assertStillLocked();
  }

  @Test
  @Rule({"I-46", "S-095"})
  void whereNobodyWaitsForAnAnswerNothingHappens() {
    lock(MANY);

    client.dispose(0, MANY - 1, true, TestClient.modified(false, ofBytes(FITS + 1)));

    assertThat(client.take(DISPOSITION)).isEmpty();
    assertStillLocked();
  }

  @Test
  @Rule({"I-46", "S-399"})
  void inATransactionItFailsThat() {
    lock(MANY);
    var coordinator = Coordinator.of(client);
    var transaction = coordinator.declare();
    Described state = Coordinator.in(transaction, TestClient.modified(false, ofBytes(FITS + 1)));

    client.dispose(0, MANY - 1, false, state);

    assertRefused(client.one(DISPOSITION), 0, MANY - 1, FITS + 1);
    assertThat(coordinator.commit(transaction)).isEqualTo(Conditions.TRANSACTION_ROLLBACK);
    assertStillLocked();
    assertThat(budgets.transactions().taken()).isZero();
  }

  @Test
  @Rule({"I-46", "S-399"})
  void whatATransactionChangesCountsForEachMessageBeforeTheShardIsAsked() {
    lock(MANY);
    var coordinator = Coordinator.of(client);
    var transaction = coordinator.declare();
    var state = Coordinator.in(transaction, TestClient.modified(false, ofBytes(20_000)));

    client.dispose(0, MANY - 1, false, state); // 640,000 bytes of 500,000

    assertThat(client.take(DISPOSITION))
        .isNotEmpty() // and none is told that it is part of the transaction
        .allSatisfy(answer -> assertThat(code(answer.field(4))).isEqualTo(0x25));
    assertThat(coordinator.commit(transaction)).isEqualTo(Conditions.TRANSACTION_ROLLBACK);
    assertStillLocked();
    assertThat(budgets.transactions().taken()).isZero();
  }

  @Test
  @Rule({"I-46", "S-379"})
  void whatATransactionChangesCountsOnceAndIsGivenBack() {
    lock(2);
    var coordinator = Coordinator.of(client);
    var transaction = coordinator.declare();
    var state = Coordinator.in(transaction, TestClient.modified(true, ofBytes(20_000)));

    client.dispose(0, 1, false, state);

    assertThat(budgets.transactions().taken()).isBetween(40_000L, 42_000L);
    assertThat(coordinator.commit(transaction)).isNull();
    assertThat(budgets.transactions().taken()).isZero();
  }

  /** It is of one message, and no larger than a request may be. */
  @Test
  @Rule({"I-46", "I-08"})
  void aManagementRequestBringsNoMoreThanADisposition() {
    lock(2);
    var much = Map.of("k", "x".repeat(RangeChanges.MOST_BYTES));

    assertThat(settle("abandoned", tokens.subList(0, 1), much)).isEqualTo(403);
    assertThat(settle("abandoned", tokens, Map.of("k", 1))).isEqualTo(400);

    assertThat(broker.ended).isNull();
    assertStillLocked();
  }

  @Test
  @Rule({"I-46", "S-075"})
  void changesThatOutgrowTheHeaderByThemselvesAreNotPutOverEarlierOnes() {
    lock(1);
    var earlier = Map.of(new Symbol("j"), "x".repeat(9_000));
    client.dispose(0, 0, false, TestClient.modified(false, earlier)).forget();
    client.credit(0, 1, 1, 1, false);
    tokens = List.of(ManagementTest.guid((byte[]) there(client.one(TRANSFER).field(2))));
    var some = Map.of("k", "x".repeat(RangeChanges.MOST_BYTES - 4_000)); // together they are more

    assertThat(settle("abandoned", tokens, some)).isEqualTo(200);

    assertThat(broker.ended).isNull();
    client.forget().receiver(0, 7, "q/$deadletterqueue", 0).credit(7, 1);
    assertThat(
            Parsed.of(client.one(TRANSFER).payload())
                .entry(TestMessage.APPLICATION_PROPERTIES, "DeadLetterReason"))
        .isEqualTo("HeaderSizeExceeded");
  }
}
