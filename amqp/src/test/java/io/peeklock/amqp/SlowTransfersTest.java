package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.CLOSE;
import static io.peeklock.amqp.TestClient.DETACH;
import static io.peeklock.amqp.TestClient.DISPOSITION;
import static io.peeklock.amqp.TestClient.condition;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.engine.limits.Budget;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.limit.AmqpBudgets;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Frames and deliveries that come slowly give their room to others, where there is none left. */
class SlowTransfersTest {
  private static final int ROOM = 1_600_000;
  private static final int LITTLE = ROOM / 8;
  private static final int HALF = 40_000;
  private static final int FRAME = 60_000;

  private final AmqpBudgets others = AmqpBudgets.of(64 << 20, 64 << 20);
  private final AmqpBudgets budgets =
      new AmqpBudgets(
          others.unauthenticatedLinks(),
          others.links(),
          others.unauthenticatedBytes(),
          new Budget(ROOM, LITTLE, LITTLE),
          others.replyBytes(),
          others.transactions());
  private final BrokerFixture broker =
      new BrokerFixture(budgets).queue("large", 300_000, 10, 8 << 20);

  private TestClient sender() {
    return broker.client().sender(0, 0, "large").forget();
  }

  /** Each holds its own, without an end. */
  private List<TestClient> withHalfAFrame(int count) {
    var clients = new ArrayList<TestClient>();
    for (var i = 0; i < count; i++) {
      var client = sender();
      var frame = client.transfer(0, 0, 0, false, TestMessage.text("x".repeat(FRAME)));
      client.send(frame.readRetainedSlice(HALF));
      frame.release();
      clients.add(client);
    }
    return clients;
  }

  private List<TestClient> withHalfADelivery(int count) {
    var clients = new ArrayList<TestClient>();
    for (var i = 0; i < count; i++) {
      var client = sender();
      client.send(client.part(0, new byte[HALF / 2], true));
      clients.add(client);
    }
    return clients;
  }

  private void seconds(int count) {
    for (var i = 0; i < count; i++) {
      broker.advance(Duration.ofSeconds(1));
    }
  }

  private void assertThatOthersAreServed() {
    var innocent = sender();
    innocent.inFrames(0, TestMessage.text("x".repeat(200_000)), FRAME);
    assertThat(innocent.take(DETACH)).isEmpty();
    assertThat(innocent.one(DISPOSITION).number(1)).isZero();
  }

  @Test
  @Rule("I-46")
  void halfFramesThatDoNotGoOnGiveWayAndOthersAreServed() {
    var slow = withHalfAFrame(ROOM / HALF);
    assertThat(budgets.partialBytes().taken()).isEqualTo(ROOM);

    seconds(7);

    assertThat(budgets.partialBytes().taken()).isLessThanOrEqualTo(ROOM / 4);
    var closed = slow.stream().flatMap(each -> each.take(CLOSE).stream()).toList();
    assertThat(closed)
        .isNotEmpty()
        .allMatch(one -> Conditions.RESOURCE_LIMIT_EXCEEDED.equals(condition(one.field(0))));
    assertThat(budgets.partialBytes().refused()).isEqualTo(closed.size());
    assertThatOthersAreServed();
  }

  @Test
  @Rule("I-46")
  void deliveriesThatTrickleGiveWayAndOthersAreServed() {
    var slow = withHalfADelivery(ROOM / 8 * 7 / HALF);
    var taken = budgets.partialBytes().taken();
    assertThat(taken).isEqualTo(ROOM / 8 * 7);

    for (var i = 0; i < 8; i++) {
      for (var client : slow) {
        client.send(client.part(0, new byte[1], true));
      }
      seconds(1);
    }

    assertThat(budgets.partialBytes().taken()).isLessThanOrEqualTo(ROOM / 4);
    assertThat(slow.stream().flatMap(each -> each.take(CLOSE).stream())).isEmpty();
    assertThat(slow.stream().flatMap(each -> each.take(DETACH).stream()))
        .isNotEmpty()
        .allMatch(one -> Conditions.RESOURCE_LIMIT_EXCEEDED.equals(condition(one.field(2))));
    assertThatOthersAreServed();
  }

  @Test
  @Rule("I-46")
  void asLongAsThereIsRoomNobodyMustHurry() {
    var slow = withHalfAFrame(ROOM / HALF / 4);
    slow.addAll(withHalfADelivery(ROOM / HALF / 4));

    seconds(60);

    assertThat(budgets.partialBytes().taken()).isEqualTo(ROOM / 2);
    assertThat(slow).allMatch(each -> each.take(CLOSE).isEmpty() && each.take(DETACH).isEmpty());
  }

  @Test
  @Rule("I-46")
  void whoGoesOnIsNotTheOneWhoGivesWay() {
    var still = withHalfAFrame(ROOM / HALF * 6 / 10);
    var busy = sender();

    for (var i = 0; i < 8; i++) {
      busy.inFrames(0, TestMessage.text("x".repeat(100_000)), FRAME);
      var frame = busy.transfer(0, 0, 0, false, TestMessage.text("x".repeat(FRAME)));
      busy.send(frame.readRetainedSlice(HALF));
      seconds(1);
      busy.send(frame);
    }

    assertThat(busy.take(DISPOSITION)).hasSize(16);
    assertThat(still.stream().filter(each -> !each.take(CLOSE).isEmpty())).isNotEmpty();
  }
}
