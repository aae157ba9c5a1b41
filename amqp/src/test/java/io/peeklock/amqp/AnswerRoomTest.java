package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.there;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.TypedArray;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.limit.AmqpBudgets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Answers with messages: how much one carries, and that it counts before anything is read. */
class AnswerRoomTest {
  private static final long NETWORK = 8 << 20; // replies have 1 MiB of it, and one answer 256 KiB
  private static final int SIZE = 60_000;

  private final AmqpBudgets budgets = AmqpBudgets.of(1 << 30, NETWORK);
  private final BrokerFixture broker = new BrokerFixture(budgets);
  private final TestClient client = broker.client().sender(0, 0, "q");
  private final RequestClient node = new RequestClient(client, 0, "q/$management", "me");

  private void defer(int count) {
    for (var i = 0; i < count; i++) {
      client.message(0, TestMessage.text("x".repeat(SIZE)));
    }
    client.receiver(0, 1, "q", 0).credit(1, count);
    client.dispose(0, count - 1L, true, TestClient.modified(true, Map.of())).forget();
  }

  private RequestClient.Answer peek(long from) {
    return node.manage("peek-message", Map.of("from-sequence-number", from, "message-count", 250));
  }

  private RequestClient.Answer receive(int mode, long from, long to) {
    return node.manage(
        "receive-by-sequence-number",
        Map.of(
            "sequence-numbers", TypedArray.ofLongs(LongStream.rangeClosed(from, to).toArray()),
            "receiver-settle-mode", TestClient.uint(mode)));
  }

  private static List<?> messages(RequestClient.Answer answer) {
    assertThat(answer.status()).isEqualTo(200);
    return there((List<?>) answer.body("messages"));
  }

  @Test
  void aPeekCarriesWhatOneAnswerMayAndTheNextGoesOn() {
    defer(10);

    assertThat(messages(peek(1))).hasSize(4);
    assertThat(messages(peek(5))).hasSize(4);
    assertThat(messages(peek(9))).hasSize(2);
    assertThat(budgets.replyBytes().taken()).isZero();
  }

  @Test
  void moreByNumberThanOneAnswerCarriesIsRefusedBeforeAnythingIsLocked() {
    defer(10);

    for (var mode = 0; mode < 2; mode++) {
      var refused = receive(mode, 1, 10);

      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.condition()).isEqualTo(new Symbol(Conditions.MESSAGE_SIZE_EXCEEDED));
      assertThat(refused.description()).contains("at most 262144", "None was received");
    }
    assertThat(messages(receive(1, 1, 4))).hasSize(4);
    assertThat(messages(receive(0, 5, 8))).hasSize(4);
    assertThat(budgets.replyBytes().taken()).isZero();
  }

  @Test
  void oneMessageUnderLockComesHoweverLargeItIs() {
    broker.queue("large", 60_000, 10, 1 << 20);
    var other = broker.client().sender(0, 0, "large");
    other.inFrames(0, TestMessage.text("y".repeat(400_000)), 60_000).forget();
    other.receiver(0, 1, "large", 0).credit(1, 1);
    other.dispose(0, 0, true, TestClient.modified(true, Map.of())).forget();
    var numbers = Map.of("sequence-numbers", TypedArray.ofLongs(1), "receiver-settle-mode", 1);

    var answer =
        new RequestClient(other, 0, "large/$management", "me")
            .manage("receive-by-sequence-number", numbers);

    assertThat(messages(answer)).hasSize(1);
    assertThat(budgets.replyBytes().taken()).isZero();
  }

  @Test
  void withoutRoomForTheAnswerNothingIsReadAndTheClientMayTryAgain() {
    defer(2);
    var left = budgets.replyBytes().most() - 10_000;
    assertThat(budgets.replyBytes().take(left)).isTrue();

    for (var answer : List.of(peek(1), receive(1, 1, 2), receive(0, 1, 2))) {
      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.condition()).isEqualTo(new Symbol(Conditions.SERVER_BUSY));
    }

    budgets.replyBytes().give(left);
    assertThat(messages(receive(1, 1, 2))).hasSize(2);
    assertThat(budgets.replyBytes().taken()).isZero();
  }

  @Test
  void whatIsLockedForAnAnswerThatNobodyHearsIsFreeAtOnce() {
    defer(2);
    client.perform(0, TestClient.DETACH, TestClient.uint(RequestClient.REPLIES), true, null);
    var numbers =
        Map.of(
            "sequence-numbers", TypedArray.ofLongs(1, 2),
            "receiver-settle-mode", TestClient.uint(1));
    node.send("id", Map.of("operation", "com.microsoft:receive-by-sequence-number"), numbers);
    client.forget();

    var other = new RequestClient(broker.client(), 0, "q/$management", "me");
    var answer = other.manage("receive-by-sequence-number", numbers);

    assertThat(messages(answer)).hasSize(2);
    assertThat(budgets.replyBytes().taken()).isZero();
  }

  @Test
  void anAnswerCountsUntilItIsOnTheSocket() {
    defer(2);
    client.credit(0, RequestClient.REPLIES, 0, 0, false).forget();
    node.send(
        "id",
        Map.of("operation", "com.microsoft:peek-message"),
        Map.of("from-sequence-number", 0L, "message-count", 2));
    assertThat(budgets.replyBytes().taken()).isBetween(2L * SIZE, 2L * SIZE + 2_000);

    client.credit(0, RequestClient.REPLIES, 0, 9, false);

    assertThat(client.take(TRANSFER)).isNotEmpty();
    assertThat(budgets.replyBytes().taken()).isZero();
  }

  @Test
  void aNodeThatIsDetachedGivesBackWhatItWaitedFor() {
    defer(2);
    client.credit(0, RequestClient.REPLIES, 0, 0, false).forget();
    node.send(
        "id",
        Map.of("operation", "com.microsoft:peek-message"),
        Map.of("from-sequence-number", 0L, "message-count", 2));

    client.leave();

    broker.settle();
    assertThat(budgets.replyBytes().taken()).isZero();
  }

  private void peekUnheard() {
    node.send(
        "id",
        Map.of("operation", "com.microsoft:peek-message"),
        Map.of("from-sequence-number", 1L, "message-count", 250));
  }

  @Test
  void anAnswerWaitsAMinuteForCreditAndThenItsLinkEnds() {
    defer(2);
    client.credit(0, RequestClient.REPLIES, 0, 0, false).forget();
    peekUnheard();

    broker.advance(Duration.ofSeconds(59));
    assertThat(client.take(TestClient.DETACH)).isEmpty();
    assertThat(budgets.replyBytes().taken()).isPositive();
    broker.advance(Duration.ofSeconds(2));

    var error = client.one(TestClient.DETACH).field(2);
    assertThat(TestClient.condition(error)).isEqualTo(Conditions.RESOURCE_LIMIT_EXCEEDED);
    assertThat(String.valueOf(error)).contains("60 seconds");
    assertThat(budgets.replyBytes().taken()).isZero();
  }

  @Test
  void oneWhoGivesNoCreditLeavesHalfOfTheRoomToOthers() {
    defer(4);
    client.credit(0, RequestClient.REPLIES, 0, 0, false).forget();
    for (var i = 0; i < 4; i++) {
      peekUnheard();
    }

    assertThat(budgets.replyBytes().taken()).isBetween(200_000L, budgets.replyBytes().most() / 2);
    var other = new RequestClient(broker.client(), 0, "q/$management", "me");
    var answer =
        other.manage("peek-message", Map.of("from-sequence-number", 1L, "message-count", 250));
    assertThat(messages(answer)).hasSize(4);
  }
}
