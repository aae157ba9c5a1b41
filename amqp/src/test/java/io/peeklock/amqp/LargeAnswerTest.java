package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.there;
import static io.peeklock.amqp.TestClient.uint;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.peeklock.amqp.TestClient.Frame;
import io.peeklock.amqp.TestMessage.Parsed;
import io.peeklock.amqp.engine.codec.TypedArray;
import io.peeklock.amqp.engine.limits.Budget;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.limit.AmqpBudgets;
import io.peeklock.kernel.entity.QueueDefinition;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers with one message that is larger than what is counted for an answer. */
class LargeAnswerTest {
  private static final long REPLIES = 8 << 20; // and a peek 1 MiB of it
  private static final int BIG = 5 << 20;
  private static final long LITTLE = 2 << 20; // what is in sockets, and a few pieces
  private static final long PIECE = 256 << 10;
  private static final String TEXT = "0123456789abcdef".repeat(BIG / 16);

  private final AmqpBudgets budgets =
      new AmqpBudgets(
          new Budget(1 << 20),
          new Budget(1 << 20),
          new Budget(1 << 20),
          new Budget(8 << 20),
          new Budget(REPLIES),
          new Budget(1 << 20));
  private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(false);
  private final BrokerFixture broker =
      new BrokerFixture(budgets)
          .queue(QueueDefinition.named("big").with().maxMessageBytes(8 << 20).build());
  private final TestClient sender = broker.client().sender(0, 0, "big");
  private final TestClient client = broker.clientBeside(sender, memory);
  private final RequestClient node = new RequestClient(client, 0, "big/$management", "me");

  LargeAnswerTest() {
    sender.inFrames(0, TestMessage.text(TEXT), 60_000);
    assertThat(sender.one(TestClient.DISPOSITION).field(4)).isEqualTo(TestClient.accepted());
    sender.message(0, TestMessage.text("small")).forget();
  }

  private void defer() {
    sender.receiver(0, 1, "big", 0).credit(1, 1);
    sender.dispose(0, 0, true, TestClient.modified(true, Map.of())).forget();
  }

  private void askToPeek(long from) {
    node.send(
        "id",
        Map.of("operation", "com.microsoft:peek-message"),
        Map.of("from-sequence-number", from, "message-count", 1));
  }

  private static Map<String, ?> first() {
    return Map.of("sequence-numbers", TypedArray.ofLongs(1), "receiver-settle-mode", uint(1));
  }

  private void askToReceive() {
    node.send("id", Map.of("operation", "com.microsoft:receive-by-sequence-number"), first());
  }

  private long used() {
    return memory.metric().usedHeapMemory() + memory.metric().usedDirectMemory();
  }

  /** The texts of the messages of all answers, in the order in which they came. */
  private static List<String> texts(List<Frame> frames) {
    var texts = new ArrayList<String>();
    var whole = new ByteArrayOutputStream();
    for (var frame : frames) {
      whole.writeBytes(frame.payload());
      if (!Boolean.TRUE.equals(frame.field(5))) {
        texts.add(text(Parsed.of(whole.toByteArray())));
        whole.reset();
      }
    }
    return texts;
  }

  private static String text(Parsed answer) {
    var messages = (List<?>) there(answer.entry(TestMessage.VALUE, "messages"));
    var entry = (Map<?, ?>) there(messages.getFirst());
    return String.valueOf(Parsed.of((byte[]) there(entry.get("message"))).body());
  }

  @Test
  void itIsReadAsTheClientTakesItAndWhole() {
    client.flow(0, RequestClient.REPLIES, 10, 100).forget();
    askToPeek(1);
    askToPeek(2);
    var before = client.take(TRANSFER);
    assertThat(before).hasSize(10);
    assertThat(used()).isLessThan(LITTLE);

    client.flow(0, RequestClient.REPLIES, 20, 100);
    assertThat(used()).isLessThan(LITTLE);
    client.flow(0, RequestClient.REPLIES, 2_000, 100);

    var frames = new ArrayList<>(before);
    frames.addAll(client.take(TRANSFER));
    assertThat(texts(frames)).containsExactly(TEXT, "small");
    assertThat(budgets.replyBytes().taken()).isZero();
  }

  @Test
  void manyWhoAskForItAtOnceHoldNoneOfIt() {
    client.credit(0, RequestClient.REPLIES, 0, 0, false).forget();
    var before = used();
    askToPeek(1);
    var counted = budgets.replyBytes().taken();

    askToPeek(1);

    assertThat(used() - before).isLessThan(PIECE);
    assertThat(counted).isBetween(1L << 20, (1L << 20) + 1_000);
    assertThat(budgets.replyBytes().taken()).isEqualTo(2 * counted);
    client.credit(0, RequestClient.REPLIES, 0, 9, false);
    assertThat(texts(client.take(TRANSFER))).containsExactly(TEXT, TEXT);
    assertThat(budgets.replyBytes().taken()).isZero();
  }

  @Test
  void oneThatIsReceivedHasItsToken() {
    defer();
    client.flow(0, RequestClient.REPLIES, 10, 100).forget();
    askToReceive();
    assertThat(used()).isLessThan(LITTLE);
    client.flow(0, RequestClient.REPLIES, 2_000, 100);

    var answer = node.answer();

    var entry = (Map<?, ?>) there(((List<?>) there(answer.body("messages"))).getFirst());
    assertThat(Parsed.of((byte[]) there(entry.get("message"))).body()).isEqualTo(TEXT);
    assertThat(entry.get("lock-token")).isNotNull();
    var settling =
        Map.of(
            "disposition-status",
            "completed",
            "lock-tokens",
            TypedArray.ofUuids(List.of((UUID) there(entry.get("lock-token")))));
    assertThat(node.manage("update-disposition", settling).status()).isEqualTo(200);
  }

  @ParameterizedTest(name = "half way: {0}")
  @ValueSource(booleans = {true, false})
  void itsLockIsFreeAtOnceWhenItsLinkEnds(boolean halfWay) {
    defer();
    if (halfWay) {
      client.flow(0, RequestClient.REPLIES, 10, 100).forget();
    } else {
      client.credit(0, RequestClient.REPLIES, 0, 0, false).forget();
    }
    askToReceive();
    assertThat(client.take(TRANSFER)).hasSize(halfWay ? 10 : 0);
    var other = new RequestClient(broker.client(), 0, "big/$management", "me");
    assertThat(other.manage("receive-by-sequence-number", first()).status()).isEqualTo(404);

    client.perform(0, TestClient.DETACH, uint(RequestClient.REPLIES), true, null);

    assertThat(other.manage("receive-by-sequence-number", first()).status()).isEqualTo(200);
    assertThat(used()).isLessThan(LITTLE);
    assertThat(budgets.replyBytes().taken()).isZero();
  }

  private void seconds(int count) {
    for (var i = 0; i < count; i++) {
      broker.advance(Duration.ofSeconds(1));
    }
  }

  @Test
  void whoTakesNoMoreOfItThanHalfHasAMinute() {
    client.flow(0, RequestClient.REPLIES, 10, 100).forget();
    askToPeek(1);
    seconds(50);
    client.flow(0, RequestClient.REPLIES, 20, 100);
    seconds(50);
    assertThat(client.take(TestClient.DETACH)).isEmpty();

    seconds(12);

    var error = client.one(TestClient.DETACH).field(2);
    assertThat(TestClient.condition(error)).isEqualTo(Conditions.RESOURCE_LIMIT_EXCEEDED);
    client.leave();
    assertThat(used()).isZero();
    assertThat(budgets.replyBytes().taken()).isZero();
  }
}
