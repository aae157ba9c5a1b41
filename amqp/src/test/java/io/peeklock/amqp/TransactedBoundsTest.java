package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.accepted;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.RequestClient.Answer;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.Timestamp;
import io.peeklock.amqp.engine.codec.TypedArray;
import io.peeklock.amqp.engine.limits.Budget;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.limit.AmqpBudgets;
import io.peeklock.amqp.transaction.TransactedChanges;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * What one transaction may change at its commit: how much of it there may be, and that it counts.
 */
class TransactedBoundsTest {
  private static final int MANY = 1_000;

  private final AmqpBudgets budgets =
      new AmqpBudgets(
          new Budget(1 << 20),
          new Budget(1 << 20),
          new Budget(1 << 20),
          new Budget(8 << 20),
          new Budget(8 << 20),
          new Budget(20_000));
  private final BrokerFixture broker = new BrokerFixture(budgets);
  private final TestClient client = broker.client();
  private final RequestClient node = new RequestClient(client, 0, "q/$management", "me");
  private final Coordinator coordinator = Coordinator.of(client);

  private static Answer cancel(RequestClient of, byte[] transaction, Object numbers) {
    return of.manageIn(
        transaction, "cancel-scheduled-message", Map.of("sequence-numbers", numbers));
  }

  private Answer cancel(byte[] transaction, long from, long to) {
    var numbers = LongStream.rangeClosed(from, to).toArray();
    return cancel(node, transaction, TypedArray.ofLongs(numbers));
  }

  /** Numbers as the smallest integers that they are, for one frame with many. */
  private static List<Integer> small(int count) {
    return IntStream.rangeClosed(1, count).boxed().toList();
  }

  private void schedule(int count) {
    var due = new Timestamp(broker.clock.wallMillis() + 60_000);
    var message =
        new TestMessage()
            .section(
                TestMessage.ANNOTATIONS, Map.of(new Symbol("x-opt-scheduled-enqueue-time"), due))
            .section(TestMessage.DATA, new byte[] {'s'})
            .bytes();
    var entry = new LinkedHashMap<>(Map.of("message", message));
    var all = IntStream.range(0, count).mapToObj(i -> entry).toList();
    var body = Map.of("messages", all);
    assertThat(node.inFrames("schedule-message", body, 60_000).status()).isEqualTo(200);
    client.forget();
  }

  private long taken() {
    return budgets.transactions().taken();
  }

  @Test
  @Rule("S-376")
  void aMessageThatIsCancelledAgainCountsOnce() {
    schedule(MANY);
    var transaction = coordinator.declare();
    assertThat(cancel(transaction, 1, MANY).status()).isEqualTo(200);
    var held = taken();
    assertThat(held).isGreaterThanOrEqualTo(8 * MANY);

    for (var i = 0; i < 20; i++) {
      assertThat(cancel(transaction, 1, MANY).status()).isEqualTo(200);
      assertThat(cancel(transaction, MANY - 1, MANY).status()).isEqualTo(200);
    }

    assertThat(taken()).isEqualTo(held);
    assertThat(coordinator.commit(transaction)).isNull();
    assertThat(taken()).isZero();
    client.receiver(0, 3, "q", 1).credit(3, 2_000);
    broker.advance(Duration.ofSeconds(61));
    assertThat(client.take(TestClient.TRANSFER)).isEmpty();
  }

  @Test
  void whatIsToBeCancelledCountsUntilTheRollback() {
    schedule(MANY);
    var transaction = coordinator.declare();
    assertThat(cancel(transaction, 1, MANY).status()).isEqualTo(200);

    assertThat(coordinator.rollBack(transaction)).isNull();

    assertThat(taken()).isZero();
    var next = coordinator.declare();
    assertThat(cancel(next, 1, MANY).status()).isEqualTo(200);
    client.leave();
    broker.settle();
    assertThat(taken()).isZero();
  }

  @Test
  void moreThanThereIsRoomForIsRefusedBeforeTheShardIsAsked() {
    var transaction = coordinator.declare();

    var refused = cancel(transaction, 1, 2 * MANY); // none of them is there

    assertThat(refused.condition()).isEqualTo(new Symbol(Conditions.RESOURCE_LIMIT_EXCEEDED));
    assertThat(refused.description()).contains("hold too many bytes");
    assertThat(taken()).isZero();
    assertThat(coordinator.commit(transaction)).isEqualTo(Conditions.TRANSACTION_ROLLBACK);
  }

  @Test
  void aCancellationThatCannotBeFailsTheTransactionAndGivesItsRoomBack() {
    schedule(10);
    var transaction = coordinator.declare();
    assertThat(cancel(transaction, 1, 10).status()).isEqualTo(200);

    assertThat(cancel(transaction, 1, 11).status()).isEqualTo(404);

    assertThat(taken()).isZero();
    assertThat(cancel(transaction, 1, 2).condition())
        .isEqualTo(new Symbol(Conditions.TRANSACTION_ROLLBACK));
    assertThat(taken()).isZero();
  }

  @Test
  @Rule("S-399")
  void settlementsCancellationsAndStatesAreBoundedTogether() {
    var world = new TransactedWorld();
    for (var one : List.of("settled", "set")) {
      var transaction = world.coordinator.declare();
      if (one.equals("set")) {
        var set = Map.of("session-id", "a", "session-state", new byte[] {7});
        world.sessions.manageIn(transaction, "set-session-state", set);
      } else {
        world.coordinator.settle(transaction, 0, 0, accepted());
      }
      world.client.forget();

      var refused = cancel(world.queue, transaction, small(TransactedChanges.MOST));

      assertThat(refused.condition()).isEqualTo(new Symbol(Conditions.RESOURCE_LIMIT_EXCEEDED));
      assertThat(refused.description()).contains("At most 10000 messages");
      assertThat(world.coordinator.rollBack(transaction)).isNull();
      world.client.forget();
    }
  }

  @Test
  void asManyAsMayBeAreLookedFor() {
    var world = new TransactedWorld();

    var answer = cancel(world.queue, world.coordinator.declare(), small(TransactedChanges.MOST));

    assertThat(answer.status()).as("they are not there").isEqualTo(404);
  }

  @Test
  void settlementsCountAsMuchAsTheyHold() {
    client.sender(0, 3, "q").receiver(0, 4, "q", 0);
    client.message(3, TestMessage.text("a")).message(3, TestMessage.text("b"));
    client.credit(4, 2).forget();
    var transaction = coordinator.declare();

    coordinator.settle(transaction, 0, 1, accepted());

    assertThat(taken()).isBetween(300L, 1_000L);
    assertThat(coordinator.rollBack(transaction)).isNull();
    assertThat(taken()).isZero();
  }
}
