package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.DISPOSITION;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.there;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.peeklock.amqp.TestMessage.Parsed;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.Timestamp;
import io.peeklock.amqp.engine.codec.TypedArray;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Maps of annotations and the footer, as receivers get them. */
class AnnotationsOfMessagesTest {
  private static final Symbol LOCK_TOKEN = new Symbol("x-opt-lock-token");

  private final BrokerFixture broker =
      new BrokerFixture()
          .queue(QueueDefinition.named("t").as(new QueueRole.Topic(false)))
          .queue(
              QueueDefinition.named("t/Subscriptions/s").as(new QueueRole.Subscription("t", true)));
  private final TestClient client = broker.client().sender(0, 0, "q");
  private final RequestClient node = new RequestClient(client, 0, "q/$management", "me");

  private Parsed message() {
    return Parsed.of(client.one(TRANSFER).payload());
  }

  private static Map<?, ?> deliveryAnnotations(Parsed message) {
    return (Map<?, ?>) there(message.section(TestMessage.DELIVERY_ANNOTATIONS));
  }

  private Parsed managed(String operation, Map<String, ?> body) {
    var answer = node.manage(operation, body);
    var entry = (Map<?, ?>) there(there((List<?>) answer.body("messages")).getFirst());
    return Parsed.of(there((byte[]) entry.get("message")));
  }

  private static byte[] withDeliveryAnnotations(Map<?, ?> annotations) {
    return new TestMessage()
        .section(TestMessage.DATA, new byte[] {1})
        .section(TestMessage.DELIVERY_ANNOTATIONS, annotations) // where Python writes them
        .bytes();
  }

  private static UUID token(TestClient.Frame transfer) {
    return ManagementTest.guid(there((byte[]) transfer.field(2)));
  }

  @Test
  @Rule({"T-35", "T-33", "S-097"})
  void aLockedDeliverySaysItsTokenInItsDeliveryAnnotations() {
    client.message(0, TestMessage.text("a")).forget();

    client.receiver(0, 1, "q", 0).credit(1, 1);

    var transfer = client.one(TRANSFER);
    var got = Parsed.of(transfer.payload());
    assertThat(got.codes())
        .startsWith(TestMessage.HEADER, TestMessage.DELIVERY_ANNOTATIONS, TestMessage.ANNOTATIONS);
    assertThat(deliveryAnnotations(got)).isEqualTo(Map.of(LOCK_TOKEN, token(transfer)));
  }

  @Test
  @Rule("T-35")
  void withoutALockTheDeliveryAnnotationsAreEmpty() {
    client.message(0, TestMessage.text("a")).forget();

    assertThat(peeked().codes()).contains(TestMessage.DELIVERY_ANNOTATIONS);
    client.forget().receiver(0, 1, "q", 1).credit(1, 1);

    assertThat(deliveryAnnotations(message())).isEmpty();
  }

  private Parsed peeked() {
    return managed("peek-message", Map.of("from-sequence-number", 0L, "message-count", 1));
  }

  /** They come back to every receiver, and a token that came in with them does not. */
  @Test
  @Rule({"T-35", "T-52", "S-077", "S-207"})
  void deliveryAnnotationsOfTheSenderComeBackBesideTheToken() {
    var annotations = new LinkedHashMap<Object, Object>();
    annotations.put(new Symbol("mine"), 5);
    annotations.put(LOCK_TOKEN, UUID.randomUUID());
    annotations.put("text", "as a symbol");
    client.message(0, withDeliveryAnnotations(annotations)).forget();
    var kept = Map.of(new Symbol("mine"), 5, new Symbol("text"), "as a symbol");

    assertThat(deliveryAnnotations(peeked())).isEqualTo(kept);
    client.forget().receiver(0, 1, "q", 0).credit(1, 1);
    var transfer = client.one(TRANSFER);
    var withToken = new LinkedHashMap<Object, Object>(kept);
    withToken.put(LOCK_TOKEN, token(transfer));
    assertThat(deliveryAnnotations(Parsed.of(transfer.payload()))).isEqualTo(withToken);

    var id = transfer.number(1);
    client.dispose(id, id, true, TestClient.modified(true, Map.of(new Symbol("p"), 1)));
    var deferred =
        managed(
            "receive-by-sequence-number",
            Map.of(
                "sequence-numbers", TypedArray.ofLongs(1),
                "receiver-settle-mode", TestClient.uint(0)));
    assertThat(deliveryAnnotations(deferred)).isEqualTo(kept);
    assertThat(deferred.entry(TestMessage.APPLICATION_PROPERTIES, "p")).isEqualTo(1);
    assertThat((byte[]) deferred.section(TestMessage.DATA)).containsExactly(1);
  }

  /** Actions write all that is before the body anew. */
  @Test
  @Rule({"T-35", "S-325"})
  void aChangedCopyKeepsThemToo() {
    var rules = new RequestClient(broker.client(), 0, "t/Subscriptions/s/$management", "us");
    rules.manage(
        "add-rule",
        Map.of(
            "rule-name",
            "r",
            "rule-description",
            Map.of(
                "sql-filter", Map.of("expression", "1=1"),
                "sql-rule-action", Map.of("expression", "SET sys.PartitionKey = 'k'"))));
    rules.manage("remove-rule", Map.of("rule-name", "$Default"));
    client.forget().sender(0, 4, "t");
    client.message(4, withDeliveryAnnotations(Map.of(new Symbol("mine"), 5))).forget();

    client.receiver(0, 1, "t/Subscriptions/s", 1).credit(1, 1);

    var got = message();
    assertThat(deliveryAnnotations(got)).isEqualTo(Map.of(new Symbol("mine"), 5));
    assertThat(got.entry(TestMessage.ANNOTATIONS, "x-opt-partition-key")).isEqualTo("k");
  }

  /** Java writes the footer's keys as strings, and casts them to symbols when it reads them. */
  @Test
  @Rule("T-52")
  void keysOfAnnotationsAndFootersAreSymbolsHoweverTheyWereWritten() {
    var keys = new LinkedHashMap<Object, Object>();
    keys.put("short", 1);
    keys.put(new Symbol("symbol"), Map.of("inside", "stays"));
    keys.put("l".repeat(300), "long");
    keys.put("x-opt-partition-key", "k");
    client.message(
        0,
        new TestMessage()
            .section(TestMessage.ANNOTATIONS, keys)
            .section(TestMessage.DATA, new byte[] {1})
            .section(TestMessage.FOOTER, keys)
            .bytes());

    client.forget().receiver(0, 1, "q", 1).credit(1, 1);

    var got = message();
    assertThat(List.copyOf(((Map<?, ?>) there(got.section(TestMessage.FOOTER))).keySet()))
        .isEqualTo(
            List.of(
                new Symbol("short"),
                new Symbol("symbol"),
                new Symbol("l".repeat(300)),
                new Symbol("x-opt-partition-key")));
    assertThat(got.entry(TestMessage.FOOTER, "symbol")).isEqualTo(Map.of("inside", "stays"));
    assertThat(
            Set.<Object>copyOf(((Map<?, ?>) there(got.section(TestMessage.ANNOTATIONS))).keySet()))
        .allMatch(Symbol.class::isInstance)
        .contains(new Symbol("short"), new Symbol("x-opt-partition-key"));
  }

  @Test
  @Rule("T-52")
  void theFooterOfALargeMessageHasSymbolsToo() {
    var message =
        new TestMessage()
            .section(TestMessage.DATA, new byte[3 << 20])
            .section(TestMessage.FOOTER, Map.of("key", "value"))
            .bytes();
    client.inFrames(0, message, 60_000).forget();

    client.receiver(0, 1, "q", 1).credit(1, 1);

    var whole = Unpooled.buffer();
    client.take(TRANSFER).forEach(frame -> whole.writeBytes(frame.payload()));
    var got = Parsed.of(Arrays.copyOf(whole.array(), whole.readableBytes()));
    assertThat(got.section(TestMessage.FOOTER)).isEqualTo(Map.of(new Symbol("key"), "value"));
    assertThat(broker.journal.leaks()).isZero();
  }

  /** Their bytes lie behind the body, and are read as a whole; others would be read unchecked. */
  @Test
  @Rule("T-52")
  void theFooterOfALargeMessageIsBounded() {
    var message =
        new TestMessage()
            .section(TestMessage.DATA, new byte[3 << 20])
            .section(TestMessage.FOOTER, Map.of(new Symbol("key"), new byte[70_000]))
            .bytes();

    client.forget().inFrames(0, message, 60_000);

    assertThat(TestClient.code(client.one(DISPOSITION).field(4))).isEqualTo(0x25);
    assertThat(broker.journal.leaks()).isZero();
  }

  /** What the service shows, and a test of the JavaScript client asserts. */
  @Test
  @Rule({"S-226", "S-151"})
  void whatWasScheduledSaysSoWhenItIsActive() {
    var due = new Timestamp(broker.clock.wallMillis() + 3_000);
    client.message(
        0,
        new TestMessage()
            .section(
                TestMessage.ANNOTATIONS, Map.of(new Symbol("x-opt-scheduled-enqueue-time"), due))
            .section(TestMessage.DATA, new byte[1])
            .bytes());
    client.message(0, TestMessage.text("at once")).forget();
    broker.advance(Duration.ofSeconds(3));

    client.receiver(0, 1, "q", 0).credit(1, 2);

    var got = client.take(TRANSFER).stream().map(frame -> Parsed.of(frame.payload())).toList();
    assertThat(got)
        .extracting(each -> each.entry(TestMessage.ANNOTATIONS, "x-opt-message-state"))
        .containsExactly(0, 2);
    client.dispose(0, 1, true, TestClient.modified(true, Map.of()));
    assertThat(peeked().entry(TestMessage.ANNOTATIONS, "x-opt-message-state")).isEqualTo(1);
  }
}
