package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.CLOSE;
import static io.peeklock.amqp.TestClient.DISPOSITION;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.code;
import static io.peeklock.amqp.TestClient.there;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.engine.codec.Described;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.TypedArray;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.message.BatchEnvelope;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.proof.Rule;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ids, keys and other fields of a wrong type: one message's fault, not more. */
class WrongTypeTest {
  private static final int SESSION_ID = 10;

  private final BrokerFixture broker =
      new BrokerFixture()
          .queue(QueueDefinition.named("s").withSession(true))
          .queue(
              QueueDefinition.named("p")
                  .with()
                  .partitioned(true)
                  .duplicateWindowMillis(60_000)
                  .build());
  private final TestClient innocent = broker.client().sender(0, 0, "q");
  private final TestClient client =
      broker.client().sender(0, 0, "s").sender(0, 1, "p").sender(0, 2, "q");

  private static Stream<Object> noText() {
    return Stream.of(
        7,
        new byte[] {1},
        List.of("a"),
        Map.of("a", "b"),
        new Described(new Symbol("a:b"), "c"),
        TypedArray.ofStrings(List.of("a")));
  }

  private static byte[] message(@Nullable Object id, @Nullable Object session, String body) {
    var fields = new @Nullable Object[11];
    fields[0] = id;
    fields[SESSION_ID] = session;
    return new TestMessage().properties(fields).section(TestMessage.VALUE, body).bytes();
  }

  private static byte[] withKey(Object key) {
    return new TestMessage()
        .section(TestMessage.ANNOTATIONS, Map.of(new Symbol("x-opt-partition-key"), key))
        .properties("m")
        .section(TestMessage.VALUE, "x")
        .bytes();
  }

  static byte[] batch(byte[]... messages) {
    var batch = new TestMessage();
    Arrays.stream(messages).forEach(message -> batch.section(TestMessage.DATA, message));
    return batch.bytes();
  }

  private void isRefused(int handle, int format, byte[] bytes) {
    client.forget().send(client.transfer(0, handle, format, false, bytes));
    var answer = client.one(DISPOSITION).field(4);
    assertThat(code(answer)).isEqualTo(0x25);
    assertThat(Coordinator.condition(answer)).isNotEmpty();
  }

  private void nobodyElseNotices() {
    assertThat(client.take(CLOSE)).isEmpty();
    innocent.forget().message(0, TestMessage.text("innocent"));
    assertThat(code(innocent.one(DISPOSITION).field(4))).isEqualTo(0x24);
    assertThat(broker.journal.leaks()).isZero();
  }

  @ParameterizedTest
  @MethodSource("noText")
  @Rule("S-405")
  void aSessionIdThatIsNoTextRefusesWhatItIsIn(Object wrong) {
    var good = message("a", "good", "good");
    var bad = message("b", wrong, "bad");

    for (var handle = 0; handle < 2; handle++) {
      isRefused(handle, 0, bad);
      isRefused(handle, BatchEnvelope.FORMAT, batch(bad, good));
      isRefused(handle, BatchEnvelope.FORMAT, batch(good, good, bad));
    }

    client.receiver(0, 5, "p", 1).credit(5, 9);
    assertThat(client.take(TRANSFER)).isEmpty();
    nobodyElseNotices();
  }

  @ParameterizedTest
  @MethodSource("noText")
  @Rule("S-405")
  void aPartitionKeyThatIsNoTextRefusesWhatItIsIn(Object wrong) {
    isRefused(1, 0, withKey(wrong));
    isRefused(1, BatchEnvelope.FORMAT, batch(withKey("a"), withKey(wrong)));

    client.receiver(0, 5, "p", 1).credit(5, 9);
    assertThat(client.take(TRANSFER)).isEmpty();
    nobodyElseNotices();
  }

  @Test
  @Rule("S-405")
  void aMessageIdOfAnyTypeStopsNobody() {
    for (var id : noText().toList()) {
      client.forget().message(1, message(id, "a", "x"));
      assertThat(client.take(DISPOSITION)).hasSize(1);
    }
    for (var id : List.of(List.of("a"), Map.of("a", "b"), TypedArray.ofStrings(List.of("a")))) {
      isRefused(2, 0, message(id, null, "x"));
    }

    nobodyElseNotices();
  }

  @ParameterizedTest
  @MethodSource("noText")
  @Rule("S-149")
  void oneThatIsScheduledIsRefusedToo(Object wrong) {
    for (var queue : List.of("s", "p")) {
      var node = new RequestClient(broker.client(), 0, queue + "/$management", "me");
      var good = Map.of("message", message("a", "good", "good"));
      var bad = Map.of("message", message("b", wrong, "bad"));

      var answer = node.manage("schedule-message", Map.of("messages", List.of(good, bad)));

      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.condition()).isEqualTo(new Symbol(Conditions.DECODE_ERROR));
      assertThat(there(answer.description())).isNotEmpty();
    }
    nobodyElseNotices();
  }

  /** What would stop receiving from the queue if it were stored: nobody could read it. */
  @Test
  @Rule("S-405")
  void aHeaderThatNobodyCouldReadRefusesWhatItIsIn() {
    var wrongs =
        List.<List<@Nullable Object>>of(
            Arrays.asList(0L),
            Arrays.asList("durable"),
            Arrays.asList(true, 4),
            Arrays.asList(true, null, "ttl"),
            Arrays.asList(true, null, null, 1),
            Arrays.asList(true, null, null, false, 1),
            Arrays.asList(true, null, null, false, null, null));
    for (var wrong : wrongs) {
      var bad =
          new TestMessage()
              .section(TestMessage.HEADER, wrong)
              .section(TestMessage.VALUE, "x")
              .bytes();
      isRefused(2, 0, bad);
      isRefused(2, BatchEnvelope.FORMAT, batch(TestMessage.text("good"), bad));
    }

    client.receiver(0, 5, "q", 1).credit(5, 9);
    assertThat(client.take(TRANSFER)).isEmpty();
    nobodyElseNotices();
  }

  @Test
  @Rule("S-405")
  void aPropertyThatNoClientCouldReadRefusesWhatItIsIn() {
    for (var field = 1; field < 13; field++) {
      if (field == SESSION_ID) {
        continue;
      }
      var fields = new @Nullable Object[13];
      fields[field] = List.of("a");
      var bad = new TestMessage().properties(fields).section(TestMessage.VALUE, "x").bytes();

      isRefused(2, 0, bad);
      isRefused(2, BatchEnvelope.FORMAT, batch(TestMessage.text("good"), bad));
    }
    nobodyElseNotices();
  }

  /** It would stop receiving as soon as a dead-letter reason is to be put beside it. */
  @Test
  @Rule("S-405")
  void aPropertyWhoseNameIsNoTextRefusesWhatItIsIn() {
    for (var name : List.<Object>of(7L, true, new byte[] {1}, List.of("a"))) {
      var bad =
          new TestMessage()
              .section(TestMessage.APPLICATION_PROPERTIES, Map.of(name, "x"))
              .section(TestMessage.VALUE, "x")
              .bytes();

      isRefused(2, 0, bad);
      isRefused(2, BatchEnvelope.FORMAT, batch(TestMessage.text("good"), bad));
    }
    nobodyElseNotices();
  }
}
