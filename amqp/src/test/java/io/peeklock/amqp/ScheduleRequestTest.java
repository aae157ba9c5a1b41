package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.there;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.TestMessage.Parsed;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.Timestamp;
import io.peeklock.amqp.engine.codec.TypedArray;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.limit.AmqpSettings;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.proof.Rule;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Scheduling and cancelling through the management node. */
class ScheduleRequestTest {
  private final BrokerFixture broker = new BrokerFixture();
  private final TestClient client = broker.client().sender(0, 0, "q");
  private final RequestClient node = new RequestClient(client, 0, "q/$management", "me");

  private byte[] due(long inMillis, String body) {
    var at = new Timestamp(broker.clock.wallMillis() + inMillis);
    return new TestMessage()
        .section(TestMessage.ANNOTATIONS, Map.of(new Symbol("x-opt-scheduled-enqueue-time"), at))
        .section(TestMessage.DATA, body.getBytes(StandardCharsets.UTF_8))
        .bytes();
  }

  private RequestClient.Answer schedule(byte[]... messages) {
    return schedule(node, messages);
  }

  private static RequestClient.Answer schedule(RequestClient to, byte[]... messages) {
    var list = Arrays.stream(messages).map(bytes -> Map.of("message", bytes)).toList();
    return to.manage("schedule-message", Map.of("messages", list));
  }

  private static List<Long> numbers(RequestClient.Answer answer) {
    var numbers = new ArrayList<Long>();
    for (var number : ((TypedArray) there(answer.body("sequence-numbers"))).elements()) {
      numbers.add((Long) number);
    }
    return numbers;
  }

  private RequestClient.Answer cancel(long... numbers) {
    return node.manage(
        "cancel-scheduled-message", Map.of("sequence-numbers", TypedArray.ofLongs(numbers)));
  }

  private List<Parsed> peek() {
    var answer =
        node.manage("peek-message", Map.of("from-sequence-number", 0L, "message-count", 9));
    var parsed = new ArrayList<Parsed>();
    for (var entry : there((List<?>) answer.body("messages"))) {
      parsed.add(Parsed.of(there((byte[]) ((Map<?, ?>) entry).get("message"))));
    }
    return parsed;
  }

  @Test
  @Rule("S-267")
  void nothingButTheIdMakesADuplicate() {
    broker.queue(QueueDefinition.named("ids").withDuplicateWindow(20_000));
    client.sender(0, 1, "ids").receiver(0, 2, "ids", 1).credit(2, 9).forget();

    client.message(1, withId("one", "first", "red"));
    client.message(1, withId("one", "another body", "blue"));
    client.message(1, withId("two", "first", "red"));

    assertThat(client.take(TRANSFER))
        .extracting(frame -> Parsed.of(frame.payload()).field(TestMessage.PROPERTIES, 0))
        .containsExactly("one", "two");
  }

  private static byte[] withId(String id, String body, String colour) {
    return new TestMessage()
        .properties(id, null, null, colour)
        .section(TestMessage.APPLICATION_PROPERTIES, Map.of("colour", colour))
        .section(TestMessage.DATA, body.getBytes(StandardCharsets.UTF_8))
        .bytes();
  }

  @Test
  @Rule({"S-148", "S-149", "S-150", "S-151", "I-31"})
  void eachGetsANumberAndIsDeliveredWhenItIsDue() {
    var answer = schedule(due(30_000, "later"), due(-5, "now"));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(numbers(answer)).containsExactly(1L, 2L);
    client.receiver(0, 1, "q", 0).credit(1, 9);
    assertThat(client.take(TRANSFER)).hasSize(1);
    client.forget();
    broker.advance(Duration.ofMillis(29_999));
    assertThat(client.take(TRANSFER)).isEmpty();
    broker.advance(Duration.ofMillis(1));
    assertThat(client.take(TRANSFER)).hasSize(1);
  }

  @Test
  @Rule({"S-226", "S-220"})
  void peekTellsTheStateAndTheTime() {
    schedule(due(60_000, "later"));

    var message = peek().getFirst();

    assertThat(message.entry(TestMessage.ANNOTATIONS, "x-opt-message-state")).isEqualTo(2);
    assertThat(message.entry(TestMessage.ANNOTATIONS, "x-opt-scheduled-enqueue-time"))
        .isEqualTo(new Timestamp(broker.clock.wallMillis() + 60_000));
  }

  @Test
  @Rule({"S-153", "S-154", "S-155"})
  void aCancelIsAllOrNone() {
    schedule(due(60_000, "a"), due(60_000, "b"));

    var refused = cancel(1, 77);
    assertThat(refused.status()).isEqualTo(404);
    assertThat(refused.condition()).isEqualTo(new Symbol(Conditions.MESSAGE_NOT_FOUND));
    assertThat(refused.description()).contains("77").doesNotContain("1, 77");
    assertThat(cancel(1, 2).status()).isEqualTo(200);
    assertThat(cancel(2).status()).isEqualTo(404);
    broker.advance(Duration.ofMinutes(2));
    client.receiver(0, 1, "q", 0).credit(1, 9);
    assertThat(client.take(TRANSFER)).isEmpty();
  }

  @Test
  void whatIsNoMessageIsRefusedAndNothingIsScheduled() {
    assertThat(node.manage("schedule-message", Map.of("messages", List.of())).status())
        .isEqualTo(400);
    assertThat(node.manage("schedule-message", Map.of("messages", List.of("x"))).status())
        .isEqualTo(400);
    assertThat(schedule(due(60_000, "a"), new byte[] {1, 2, 3}).status()).isEqualTo(400);
    assertThat(node.manage("cancel-scheduled-message", Map.of()).status()).isEqualTo(400);
    client.receiver(0, 1, "q", 0).credit(1, 9);
    broker.advance(Duration.ofMinutes(2));
    assertThat(client.take(TRANSFER)).isEmpty();
  }

  @Test
  @Rule({"S-431", "S-149"})
  void oneThatIsTooLargeIsRefused() {
    broker.queue(new QueueDefinition("small", 60_000, 10, Long.MAX_VALUE, false, 1_000, 1L << 30));
    var small = new RequestClient(broker.client(), 0, "small/$management", "me");

    var answer = schedule(small, due(1_000, "x".repeat(1_000)));

    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.condition()).isEqualTo(new Symbol(Conditions.MESSAGE_SIZE_EXCEEDED));
  }

  @Test
  @Rule({"S-266", "S-269", "S-281"})
  void idsOfOneTextAreDuplicatesInAnyFormAndThoseOfOtherTypesAreNot() {
    broker.queue(QueueDefinition.named("once").withDuplicateWindow(20_000));
    var sender = broker.client().sender(0, 0, "once");
    var long5 = new TestMessage().properties(5L).section(TestMessage.VALUE, "x").bytes();
    var text5 = new TestMessage().properties("5").section(TestMessage.VALUE, "x").bytes();
    var none = TestMessage.text("x");

    for (var message : List.of(text5, long5, text5, none, long5, none)) {
      sender.message(0, message);
    }

    sender.receiver(0, 1, "once", 0).credit(1, 9);
    assertThat(sender.take(TRANSFER)).hasSize(4);
  }

  @Test
  @Rule({"S-149", "S-055"})
  void withoutRoomItIsRefusedWithTheCondition() {
    broker.queue(new QueueDefinition("tiny", 60_000, 10, Long.MAX_VALUE, false, 1_000, 40L));
    var tiny = new RequestClient(broker.client(), 0, "tiny/$management", "me");

    for (var attempt = 0; attempt < 2; attempt++) {
      var answer = schedule(tiny, due(60_000, "x".repeat(60)));

      assertThat(answer.status()).isEqualTo(403);
      assertThat(answer.condition()).isEqualTo(new Symbol(Conditions.RESOURCE_LIMIT_EXCEEDED));
    }
  }

  @Test
  @Rule("S-149")
  void belowTheDiskReserveItIsRefusedWithTheCondition() {
    broker.journal.setTakesSends(false);

    var answer = schedule(due(60_000, "a"), due(60_000, "b"));

    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.condition()).isEqualTo(new Symbol(Conditions.RESOURCE_LIMIT_EXCEEDED));
    broker.journal.setTakesSends(true);
    assertThat(numbers(schedule(due(60_000, "c")))).containsExactly(1L);
  }

  @Test
  @Rule("S-149")
  void aRequestThatIsTooLargeIsAnswered() {
    var most = AmqpSettings.Limits.DEFAULT.requestBytes();
    var body = Map.of("messages", List.of(Map.of("message", due(1_000, "x".repeat(most)))));

    var answer = node.inFrames("schedule-message", body, 60_000);

    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.condition()).isEqualTo(new Symbol(Conditions.MESSAGE_SIZE_EXCEEDED));
    assertThat(answer.correlationId()).isNotNull();
    assertThat(schedule(due(60_000, "small")).status()).isEqualTo(200);
  }
}
