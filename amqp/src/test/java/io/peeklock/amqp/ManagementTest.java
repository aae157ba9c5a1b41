package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.there;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.TestMessage.Parsed;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.Timestamp;
import io.peeklock.amqp.engine.codec.TypedArray;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.proof.Rule;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The management node of a queue. */
class ManagementTest {
  private final BrokerFixture broker = new BrokerFixture();
  private final TestClient client = broker.client().sender(0, 0, "q");
  private final RequestClient node = new RequestClient(client, 0, "q/$management", "me");

  private void send(String... bodies) {
    for (var body : bodies) {
      client.message(0, TestMessage.text(body));
    }
    client.forget();
  }

  private List<UUID> lock(int count) {
    client.receiver(0, 1, "q", 0).credit(1, count);
    var tokens = new ArrayList<UUID>();
    for (var frame : client.take(TRANSFER)) {
      tokens.add(guid(there((byte[]) frame.field(2))));
    }
    client.forget();
    return tokens;
  }

  /** A GUID from the order of .NET, as the SDKs do it. */
  static UUID guid(byte[] tag) {
    var in = ByteBuffer.wrap(tag).order(ByteOrder.LITTLE_ENDIAN);
    long high =
        (long) in.getInt() << 32 | (in.getShort() & 0xffffL) << 16 | (in.getShort() & 0xffffL);
    return new UUID(high, in.order(ByteOrder.BIG_ENDIAN).getLong());
  }

  private static TypedArray tokens(List<UUID> tokens) {
    return TypedArray.ofUuids(tokens);
  }

  private RequestClient.Answer peek(long from, int count) {
    return node.manage(
        "peek-message", Map.of("from-sequence-number", from, "message-count", count));
  }

  private static List<Parsed> messages(RequestClient.Answer answer) {
    var parsed = new ArrayList<Parsed>();
    for (var entry : there((List<?>) answer.body("messages"))) {
      parsed.add(Parsed.of(there((byte[]) ((Map<?, ?>) entry).get("message"))));
    }
    return parsed;
  }

  @Test
  @Rule({"S-105", "S-107", "S-109", "T-34", "T-47"})
  void renewingExtendsEveryLockAndAnswersAnArrayOfTimestamps() {
    send("a", "b");
    var tokens = lock(2);
    broker.advance(Duration.ofSeconds(40));

    var answer = node.manage("renew-lock", Map.of("lock-tokens", tokens(tokens)));

    assertThat(answer.status()).isEqualTo(200);
    var until = broker.clock.wallMillis() + 60_000;
    assertThat(answer.body("expirations"))
        .isInstanceOfSatisfying(
            TypedArray.class,
            array ->
                assertThat(array.elements())
                    .containsExactly(new Timestamp(until), new Timestamp(until)));
    broker.advance(Duration.ofSeconds(40));
    client.dispose(0, 1, false, TestClient.accepted());
    assertThat(TestClient.code(client.one(TestClient.DISPOSITION).field(4))).isEqualTo(0x24);
  }

  @Test
  @Rule({"S-106", "S-107", "T-10"})
  void oneLostTokenFailsTheWholeRenewal() {
    send("a");
    var tokens = lock(1);
    tokens.add(new UUID(1, 2));

    var answer = node.manage("renew-lock", Map.of("lock-tokens", tokens(tokens)));

    assertThat(answer.status()).isEqualTo(410);
    assertThat(answer.condition()).isEqualTo(new Symbol(Conditions.MESSAGE_LOCK_LOST));
    assertThat(answer.description()).contains("TrackingId:");
  }

  @Test
  @Rule({"S-218", "S-219", "S-222", "S-223", "S-225", "S-226", "T-48", "S-224"})
  void peekShowsWithoutTouching() {
    send("a", "b", "c");
    lock(1);
    client.dispose(0, 0, true, TestClient.modified(true, Map.of())).forget();

    var answer = peek(1, 2);

    var got = messages(answer);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(got).extracting(Parsed::body).containsExactly("a", "b");
    assertThat(got.get(0).entry(TestMessage.ANNOTATIONS, "x-opt-message-state")).isEqualTo(1);
    assertThat(got.get(0).field(TestMessage.HEADER, 4)).isEqualTo(TestClient.uint(1));
    assertThat(got.get(0).entry(TestMessage.ANNOTATIONS, "x-opt-locked-until"))
        .as("it was locked, and is no more")
        .isEqualTo(got.get(0).entry(TestMessage.ANNOTATIONS, "x-opt-enqueued-time"))
        .isNotNull();
    assertThat(got.get(1).entry(TestMessage.ANNOTATIONS, "x-opt-locked-until")).isNull();
    assertThat(messages(peek(3, 1_000))).extracting(Parsed::body).containsExactly("c");
    assertThat(peek(4, 1).status()).isEqualTo(204);
    assertThat(peek(0, 0).status()).isEqualTo(400);
  }

  @Test
  @Rule({"T-37", "S-207", "S-210", "S-206", "S-213", "T-46"})
  void deferredMessagesComeByNumberWithTheirTokens() {
    send("a", "b");
    lock(2);
    client.dispose(0, 1, true, TestClient.modified(true, Map.of())).forget();

    var answer =
        node.manage(
            "receive-by-sequence-number",
            Map.of(
                "sequence-numbers", TypedArray.ofLongs(2, 1),
                "receiver-settle-mode", TestClient.uint(1)));

    var entries = there((List<?>) answer.body("messages"));
    var first = Parsed.of(there((byte[]) ((Map<?, ?>) entries.get(0)).get("message")));
    var token = (UUID) ((Map<?, ?>) entries.get(0)).get("lock-token");
    assertThat(messages(answer)).extracting(Parsed::body).containsExactly("b", "a");
    assertThat(first.entry(TestMessage.DELIVERY_ANNOTATIONS, "x-opt-lock-token")).isEqualTo(token);
    assertThat(first.entry(TestMessage.ANNOTATIONS, "x-opt-locked-until")).isNotNull();
    assertThat(first.field(TestMessage.HEADER, 4)).isEqualTo(TestClient.uint(1));

    var done =
        node.manage(
            "update-disposition",
            Map.of("disposition-status", "completed", "lock-tokens", tokens(List.of(token))));
    assertThat(done.status()).isEqualTo(200);
    assertThat(messages(peek(0, 9))).extracting(Parsed::body).containsExactly("a");
  }

  @Test
  @Rule({"S-208", "S-209", "S-211", "S-505"})
  void anUnknownNumberFailsTheCallAndNoNumberAtAllDoesNot() {
    send("a");

    var missing =
        node.manage(
            "receive-by-sequence-number",
            Map.of("sequence-numbers", TypedArray.ofLongs(1), "receiver-settle-mode", 1));
    var none =
        node.manage(
            "receive-by-sequence-number",
            Map.of("sequence-numbers", TypedArray.ofLongs(), "receiver-settle-mode", 1));

    assertThat(missing.status()).isEqualTo(404);
    assertThat(missing.condition()).isEqualTo(new Symbol(Conditions.MESSAGE_NOT_FOUND));
    assertThat(none.status()).isEqualTo(200);
    assertThat((List<?>) none.body("messages")).isEmpty();
  }

  @Test
  @Rule({"T-45", "S-110", "S-113"})
  void aLockOutlivesItsLinkAndIsSettledByToken() {
    send("a", "b", "c");
    var tokens = lock(3);
    client.perform(0, TestClient.DETACH, TestClient.uint(1), true, null).forget();

    for (var i = 0; i < 3; i++) {
      var status = List.of("abandoned", "defered", "suspended").get(i);
      var answer =
          node.manage(
              "update-disposition",
              Map.of(
                  "disposition-status",
                  status,
                  "lock-tokens",
                  tokens(tokens.subList(i, i + 1)),
                  "deadletter-reason",
                  "",
                  "deadletter-description",
                  "words",
                  "properties-to-modify",
                  Map.of("p", TestClient.ubyte(1))));
      assertThat(answer.status()).isEqualTo(200);
    }

    var left = messages(peek(0, 9));
    assertThat(left).extracting(Parsed::body).containsExactly("a", "b");
    assertThat(left)
        .allSatisfy(
            got ->
                assertThat(got.entry(TestMessage.APPLICATION_PROPERTIES, "p"))
                    .isEqualTo(TestClient.ubyte(1)));
    client.receiver(0, 3, "q/$deadletterqueue", 0).credit(3, 1);
    var dead = Parsed.of(client.one(TRANSFER).payload());
    assertThat(dead.entry(TestMessage.APPLICATION_PROPERTIES, "DeadLetterErrorDescription"))
        .isEqualTo("words");
    assertThat(dead.entry(TestMessage.APPLICATION_PROPERTIES, "DeadLetterReason")).isNull();
  }

  @Test
  @Rule({"S-502", "S-513"})
  void severalTokensAreSettledTogetherOrNotAtAll() {
    send("a", "b");
    var tokens = lock(2);
    tokens.add(UUID.randomUUID());

    var answer =
        node.manage(
            "update-disposition",
            Map.of("disposition-status", "completed", "lock-tokens", tokens(tokens)));

    assertThat(answer.status()).isEqualTo(410);
    assertThat(messages(peek(0, 9))).hasSize(2);
    var changed =
        node.manage(
            "update-disposition",
            Map.of(
                "disposition-status", "abandoned",
                "lock-tokens", tokens(tokens),
                "properties-to-modify", Map.of("a", 1)));
    assertThat(changed.status()).isEqualTo(400);
    assertThat(changed.condition()).isEqualTo(new Symbol(Conditions.ARGUMENT_ERROR));
  }

  @Test
  void whatIsNotThereYetIs501AndNonsenseIs400() {
    for (var later : List.of("discard-message", "what-is-this")) {
      var answer = node.manage(later, Map.of());
      assertThat(answer.status()).isEqualTo(501);
      assertThat(answer.condition()).isEqualTo(new Symbol(Conditions.NOT_IMPLEMENTED));
    }
    assertThat(node.ask(Map.of(), null).status()).isEqualTo(400);
    assertThat(node.ask(Map.of("operation", "com.microsoft:renew-lock"), "text").status())
        .isEqualTo(400);
    assertThat(node.manage("renew-lock", Map.of("lock-tokens", List.of("x"))).status())
        .isEqualTo(400);
    assertThat(node.manage("renew-lock", Map.of()).status()).isEqualTo(400);
    assertThat(
            node.manage(
                    "update-disposition",
                    Map.of(
                        "disposition-status",
                        "deferred",
                        "lock-tokens",
                        tokens(List.of(new UUID(0, 0)))))
                .status())
        .isEqualTo(400);
  }

  @Test
  void largeAndManyMessagesArePeekedInOneAnswer() {
    client.inFrames(
        0, new TestMessage().section(TestMessage.DATA, new byte[2 << 20]).bytes(), 60_000);
    send("small");

    var answer = wide();

    assertThat((byte[]) messages(answer).getFirst().section(TestMessage.DATA)).hasSize(2 << 20);
    assertThat(broker.journal.leaks()).isZero();
  }

  private RequestClient.Answer wide() {
    node.send(
        "id",
        Map.of("operation", "com.microsoft:peek-message"),
        Map.of("from-sequence-number", 0L, "message-count", 1));
    var whole = new ByteArrayOutputStream();
    client.take(TRANSFER).forEach(frame -> whole.writeBytes(frame.payload()));
    return new RequestClient.Answer(Parsed.of(whole.toByteArray()));
  }

  private RequestClient.Answer delete(Map<String, Object> body) {
    return node.manage("batch-delete-messages", body);
  }

  private Timestamp now() {
    return new Timestamp(broker.clock.wallMillis());
  }

  @Test
  @Rule({"S-411", "S-414", "S-415"})
  void batchDeleteAnswersWithTheNumberOfMessagesThatAreGone() {
    send("a", "b", "c");
    lock(1);
    broker.advance(Duration.ofMillis(1));
    send("d");

    var some = delete(Map.of("message-count", 1, "enqueued-time-utc", now()));
    var rest = delete(Map.of("message-count", 4_000, "enqueued-time-utc", now()));
    var none = delete(Map.of("message-count", 4_000, "enqueued-time-utc", now()));

    assertThat(some.status()).isEqualTo(200);
    assertThat(some.body("message-count")).isEqualTo(1);
    assertThat(rest.body("message-count")).isEqualTo(1);
    assertThat(none.status()).isEqualTo(204);
    assertThat(none.condition()).isEqualTo(new Symbol(Conditions.MESSAGE_NOT_FOUND));
    assertThat(messages(peek(0, 10))).extracting(Parsed::body).containsExactly("a", "d");
  }

  @Test
  @Rule({"S-413", "S-513"})
  void badBatchDeletesAreRefused() {
    var tooMany = delete(Map.of("message-count", 4_001, "enqueued-time-utc", now()));

    assertThat(tooMany.status()).isEqualTo(400);
    assertThat(tooMany.condition()).isEqualTo(new Symbol(Conditions.ARGUMENT_OUT_OF_RANGE));
    var none = delete(Map.of("message-count", 0, "enqueued-time-utc", now()));
    assertThat(none.condition()).isEqualTo(new Symbol(Conditions.ARGUMENT_ERROR));
    var timeless = delete(Map.of("message-count", 1));
    assertThat(timeless.condition()).isEqualTo(new Symbol(Conditions.ARGUMENT_ERROR));
    var session = Map.of("message-count", 1, "enqueued-time-utc", now(), "session-id", "a");
    assertThat(delete(session).condition()).isEqualTo(new Symbol(Conditions.NOT_ALLOWED));
  }

  @Test
  @Rule("S-375")
  void aPartitionedQueueHasNoBatchDelete() {
    broker.queue(QueueDefinition.named("p").with().partitioned(true).build());
    var parted = new RequestClient(broker.client(), 0, "p/$management", "other");

    var answer =
        parted.manage(
            "batch-delete-messages", Map.of("message-count", 1, "enqueued-time-utc", now()));

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.condition()).isEqualTo(new Symbol(Conditions.NOT_ALLOWED));
  }
}
