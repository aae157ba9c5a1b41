package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.CLOSE;
import static io.peeklock.amqp.TestClient.DETACH;
import static io.peeklock.amqp.TestClient.DISPOSITION;
import static io.peeklock.amqp.TestClient.condition;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.limits.Allowance;
import io.peeklock.amqp.engine.limits.Budget;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.limit.AmqpBudgets;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.access.Policy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What has come of a frame, or of a request in several, is in a budget until it is whole. */
class HalfFrameTest {
  private static final int SHARE = 200_000;
  private static final int HALF = 40_000;
  private static final int FRAME = 60_000;

  /** Unauthenticated clients have one share, all others eight. */
  private final AmqpBudgets others = AmqpBudgets.of(64 << 20, 32 * SHARE);

  private final AmqpBudgets budgets =
      new AmqpBudgets(
          others.unauthenticatedLinks(),
          others.links(),
          others.unauthenticatedBytes(),
          new Budget(8L * SHARE, SHARE, SHARE),
          others.replyBytes(),
          others.transactions());

  private final BrokerFixture broker = new BrokerFixture(budgets);

  private static ByteBuf message(TestClient client) {
    return client.transfer(0, 0, 0, false, TestMessage.text("x".repeat(FRAME)));
  }

  private static boolean isClosed(TestClient client) {
    var close = client.take(CLOSE);
    close.forEach(
        one -> assertThat(condition(one.field(0))).isEqualTo(Conditions.RESOURCE_LIMIT_EXCEEDED));
    return !close.isEmpty();
  }

  private static void sendInBits(TestClient client, int bytes, ByteBuf frame) {
    while (frame.isReadable()) {
      client.send(frame.readRetainedSlice(Math.min(bytes, frame.readableBytes())));
    }
  }

  @Test
  @Rule({"S-465", "I-46"})
  void unauthenticatedClientsWithHalfAFrameEachFillTheirBudgetAndWhoHasLoggedInGoesOn() {
    var innocent = broker.client().sender(0, 0, "q").forget();
    var unauthenticated = new ArrayList<TestClient>();
    for (var i = 0; i < SHARE / HALF / 2; i++) {
      unauthenticated.add(broker.anonymous().forget());
      unauthenticated.getLast().send(message(unauthenticated.getLast()).readRetainedSlice(HALF));
    }
    assertThat(budgets.unauthenticatedBytes().taken()).isEqualTo(SHARE / HALF / 2 * HALF);

    var newest = broker.anonymous();
    newest.send(message(newest).readRetainedSlice(HALF));

    assertThat(isClosed(newest)).isTrue();
    unauthenticated.add(broker.anonymous().forget());
    unauthenticated.getLast().send(message(newest).readRetainedSlice(2_000));
    assertThat(unauthenticated).noneMatch(HalfFrameTest::isClosed);
    var whole = message(innocent);
    innocent.send(whole.readRetainedSlice(HALF));
    assertThat(budgets.partialBytes().taken()).isEqualTo(HALF);
    innocent.send(whole);
    assertThat(innocent.one(DISPOSITION).number(1)).isZero();
    assertThat(budgets.partialBytes().taken()).isZero();
    unauthenticated.forEach(TestClient::leave);
    assertThat(budgets.unauthenticatedBytes().taken()).isZero();
  }

  @Test
  @Rule({"S-465", "I-46"})
  void whereTheUnauthenticatedHaveNoRoomOneWhoseFramesAreSmallLogsInAsEver() {
    assertThat(budgets.unauthenticatedBytes().take(SHARE)).isTrue();

    var client = broker.newClient();
    client.bytes("414d5150").bytes("03010000");
    var plain = BrokerFixture.plain(Policy.ROOT_NAME, BrokerFixture.KEY);
    var init = Arrays.asList(new Symbol("PLAIN"), plain, null);
    sendInBits(client, 30, TestClient.frameBytes(1, 0, 0x41, init, new byte[0]));
    client.bytes("414d5150").bytes("00010000");
    var open = Arrays.<Object>asList("c".repeat(600), "localhost");
    sendInBits(client, 300, TestClient.frameBytes(0, 0, 0x10, open, new byte[0]));
    client.begin(0).sender(0, 0, "q").forget().message(0, TestMessage.text("m"));

    assertThat(client.one(DISPOSITION).number(1)).isZero();
    assertThat(budgets.unauthenticatedBytes().taken()).isEqualTo(SHARE);
  }

  @Test
  @Rule("I-46")
  void deliveriesHalfReceivedLeaveRoomForTheFramesOfOthers() {
    broker.queue("large", 300_000, 10, 8 << 20);
    var hog = broker.client().sender(0, 0, "large").forget();
    var sent = 0;
    while (hog.take(DETACH).isEmpty() && sent++ < 100) {
      hog.send(hog.part(0, new byte[FRAME], true));
      assertThat(budgets.partialBytes().taken()).isLessThanOrEqualTo(7 * SHARE);
    }
    assertThat(sent).as("the last is more than is left").isEqualTo(6 * SHARE / (2 * FRAME) + 1);
    assertThat(budgets.partialBytes().taken()).isZero();
    assertThat(budgets.partialBytes().take(7 * SHARE)).isTrue();
    var innocent = broker.client().sender(0, 0, "q").forget();

    sendInBits(innocent, 300, message(innocent));
    var part = innocent.part(0, new byte[10], true);
    assertThat(innocent.one(DISPOSITION).number(1)).isZero();
    innocent.send(part);

    assertThat(innocent.take(DETACH)).as("a delivery in several frames").hasSize(1);
    assertThat(isClosed(innocent)).isFalse();
  }

  @Test
  @Rule("I-46")
  void whoHasLoggedInIsClosedOnlyWithMoreThanALittleWhereNothingIsLeft() {
    assertThat(budgets.partialBytes().take(8 * SHARE)).isTrue();
    var little = broker.client().sender(0, 0, "q").forget();
    var much = broker.client().sender(0, 0, "q").forget();

    little.send(message(little).readRetainedSlice(Allowance.SMALL_INPUT_BYTES));
    much.send(message(much).readRetainedSlice(Allowance.SMALL_INPUT_BYTES + 1));

    assertThat(isClosed(little)).isFalse();
    assertThat(isClosed(much)).isTrue();
    assertThat(budgets.partialBytes().taken()).isEqualTo(8 * SHARE + Allowance.SMALL_INPUT_BYTES);
  }

  @Test
  @Rule({"S-465", "I-46"})
  void whatTheCoordinatorHasOfAMessageCountsToo() {
    var unauthenticated = broker.anonymous();
    var coordinator = Coordinator.of(unauthenticated);
    var declare = Coordinator.declaring(null);
    var half = declare.length / 2;

    unauthenticated.send(
        unauthenticated.part(Coordinator.HANDLE, Arrays.copyOf(declare, half), true, false));
    assertThat(budgets.unauthenticatedBytes().taken()).isEqualTo(2L * half);
    var rest = Arrays.copyOfRange(declare, half, declare.length);
    unauthenticated.send(unauthenticated.part(Coordinator.HANDLE, rest, false, false));

    assertThat(budgets.unauthenticatedBytes().taken()).isZero();
    assertThat(TestClient.code(coordinator.answer())).isEqualTo(Coordinator.DECLARED);
  }

  @Test
  @Rule({"S-465", "I-46"})
  void whereThereIsNoRoomTheCoordinatorRejectsWhatComesInParts() {
    assertThat(budgets.unauthenticatedBytes().take(SHARE)).isTrue();
    var unauthenticated = broker.anonymous();
    var coordinator = Coordinator.of(unauthenticated);

    for (var more : List.of(true, true, false)) {
      unauthenticated.send(unauthenticated.part(Coordinator.HANDLE, new byte[9], more, false));
    }

    assertThat(Coordinator.condition(coordinator.answer()))
        .isEqualTo(Conditions.RESOURCE_LIMIT_EXCEEDED);
    assertThat(budgets.unauthenticatedBytes().taken()).isEqualTo(SHARE);
  }
}
