package io.peeklock.amqp;

import static io.peeklock.amqp.DirectFixture.body;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestMessage.ANNOTATIONS;
import static io.peeklock.amqp.TestMessage.APPLICATION_PROPERTIES;
import static io.peeklock.amqp.TestMessage.HEADER;
import static io.peeklock.amqp.TestMessage.PROPERTIES;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.TestMessage.Parsed;
import io.peeklock.amqp.engine.codec.AmqpChar;
import io.peeklock.amqp.engine.codec.Decimal;
import io.peeklock.amqp.engine.codec.Described;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.Timestamp;
import io.peeklock.amqp.engine.codec.Unsigned;
import io.peeklock.kernel.entity.MessageState;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.message.Answer.Misfit;
import io.peeklock.runtime.message.BodyRest;
import io.peeklock.runtime.message.OutgoingMessage;
import io.peeklock.runtime.message.ReceiveOrder;
import io.peeklock.runtime.message.ReceivedMessage;
import io.peeklock.runtime.message.TextProperty;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of links as they are received directly, and the other way round. */
class DirectTranslationTest {
  private static final Map<TextProperty, String> TEXTS =
      Map.of(
          TextProperty.MESSAGE_ID, "id",
          TextProperty.CORRELATION_ID, "correlation",
          TextProperty.CONTENT_TYPE, "text/plain",
          TextProperty.SUBJECT, "subject",
          TextProperty.TO, "to",
          TextProperty.REPLY_TO, "reply",
          TextProperty.REPLY_TO_SESSION_ID, "their-session",
          TextProperty.SESSION_ID, "session",
          TextProperty.PARTITION_KEY, "session");

  private final DirectFixture direct = new DirectFixture();
  private final BrokerFixture broker = direct.broker;

  private Parsed onALink() {
    var client = broker.client().receiver(0, 1, "q", 0).credit(1, 1);
    return Parsed.of(client.one(TRANSFER).payload());
  }

  /** A message that a client may send, whatever becomes of it when it is received directly. */
  private ReceivedMessage raw(String hex) {
    broker.client().sender(0, 0, "q").message(0, HexFormat.of().parseHex(hex));
    return direct.lock("q");
  }

  private ReceivedMessage sentOnALink(TestMessage message) {
    broker.client().sender(0, 0, "q").message(0, message.bytes());
    return direct.lock("q");
  }

  @Test
  @Rule("S-084")
  void aMessageSentDirectlyIsNativeOnALink() {
    var properties = new LinkedHashMap<String, Object>();
    properties.put("text", "täxt");
    properties.put("whole", 8_555_111_000L);
    properties.put("broken", 3.14);
    properties.put("truth", true);
    properties.put("time", Instant.ofEpochMilli(1_323_820_800_000L));
    var due = broker.clock.wallMillis() - 1; // past: at once
    var out = new OutgoingMessage(TEXTS, 40_000, due, properties, ByteBuffer.wrap(new byte[] {7}));
    direct.send("q", out);

    var seen = onALink();

    assertThat(seen.section(TestMessage.DATA)).isEqualTo(new byte[] {7});
    assertThat(seen.field(HEADER, 2)).isEqualTo(TestClient.uint(40_000));
    assertThat(seen.entry(ANNOTATIONS, "x-opt-partition-key")).isEqualTo("session");
    assertThat(seen.entry(ANNOTATIONS, "x-opt-scheduled-enqueue-time"))
        .isEqualTo(new Timestamp(due));
    assertThat(seen.field(PROPERTIES, 0)).isEqualTo("id");
    assertThat(seen.field(PROPERTIES, 2)).isEqualTo("to");
    assertThat(seen.field(PROPERTIES, 3)).isEqualTo("subject");
    assertThat(seen.field(PROPERTIES, 4)).isEqualTo("reply");
    assertThat(seen.field(PROPERTIES, 5)).isEqualTo("correlation");
    assertThat(seen.field(PROPERTIES, 6)).isEqualTo(new Symbol("text/plain"));
    assertThat(seen.field(PROPERTIES, 10)).isEqualTo("session");
    assertThat(seen.field(PROPERTIES, 12)).isEqualTo("their-session");
    assertThat(seen.entry(APPLICATION_PROPERTIES, "text")).isEqualTo("täxt");
    assertThat(seen.entry(APPLICATION_PROPERTIES, "whole")).isEqualTo(8_555_111_000L);
    assertThat(seen.entry(APPLICATION_PROPERTIES, "broken")).isEqualTo(3.14);
    assertThat(seen.entry(APPLICATION_PROPERTIES, "truth")).isEqualTo(true);
    assertThat(seen.entry(APPLICATION_PROPERTIES, "time"))
        .isEqualTo(new Timestamp(1_323_820_800_000L));
  }

  @Test
  @Rule("S-084")
  void aMessageFromALinkIsNativeWhenReceivedDirectly() {
    var fields = new @Nullable Object[13];
    fields[0] = new Unsigned.Ulong(-1);
    fields[2] = "to";
    fields[3] = "subject";
    fields[4] = "reply";
    fields[5] = UUID.fromString("00000001-0002-0003-0004-000000000005");
    fields[6] = new Symbol("text/plain");
    fields[10] = "session";
    fields[12] = "their-session";
    var seen =
        sentOnALink(
            new TestMessage()
                .section(ANNOTATIONS, Map.of(new Symbol("x-opt-partition-key"), "session"))
                .properties(fields)
                .section(TestMessage.DATA, new byte[] {7}));

    assertThat(seen.body()).containsExactly(7);
    assertThat(seen.texts())
        .containsOnly(
            Map.entry(TextProperty.MESSAGE_ID, "18446744073709551615"),
            Map.entry(TextProperty.TO, "to"),
            Map.entry(TextProperty.SUBJECT, "subject"),
            Map.entry(TextProperty.REPLY_TO, "reply"),
            Map.entry(TextProperty.CORRELATION_ID, "00000001-0002-0003-0004-000000000005"),
            Map.entry(TextProperty.CONTENT_TYPE, "text/plain"),
            Map.entry(TextProperty.SESSION_ID, "session"),
            Map.entry(TextProperty.REPLY_TO_SESSION_ID, "their-session"),
            Map.entry(TextProperty.PARTITION_KEY, "session"));
  }

  @Test
  @Rule("S-084")
  void valuesOfEveryTypeOfTheWireAreGivenJavasWay() {
    var values = new LinkedHashMap<String, @Nullable Object>();
    values.put("byte", (byte) -1);
    values.put("short", (short) -2);
    values.put("int", -3);
    values.put("uint", new Unsigned.Uint(4_000_000_000L));
    values.put("ulong", new Unsigned.Ulong(-1));
    values.put("float", 3.14f);
    values.put("double", 2.71);
    values.put("char", new AmqpChar('x'));
    values.put("no char", new AmqpChar(-1));
    values.put("symbol", new Symbol("s"));
    values.put("uuid", UUID.fromString("00000001-0002-0003-0004-000000000005"));
    values.put("binary", new byte[] {1});
    values.put("null", null);
    values.put("decimal", new Decimal.Decimal32(0x3180_0000 | 999)); // 9.99
    values.put("no decimal", new Decimal.Decimal64(0x7800_0000_0000_0000L));
    values.put("time", new Timestamp(1));
    values.put("span", new Described(new Symbol("com.microsoft:timespan"), 15_000_000L));
    values.put(
        "offset",
        new Described(new Symbol("com.microsoft:datetime-offset"), 621_355_968_000_010_000L));
    values.put("uri", new Described(new Symbol("com.microsoft:uri"), "a:b"));
    values.put("other", new Described(new Symbol("x"), 1L));

    var seen =
        sentOnALink(
            new TestMessage()
                .section(APPLICATION_PROPERTIES, values)
                .section(TestMessage.DATA, new byte[0]));

    var expected = new LinkedHashMap<String, Object>();
    expected.put("byte", -1L);
    expected.put("short", -2L);
    expected.put("int", -3L);
    expected.put("uint", 4_000_000_000L);
    expected.put("ulong", new BigInteger("18446744073709551615"));
    expected.put("float", 3.14f);
    expected.put("double", 2.71);
    expected.put("char", "x");
    expected.put("symbol", "s");
    expected.put("uuid", UUID.fromString("00000001-0002-0003-0004-000000000005"));
    expected.put("binary", new byte[] {1});
    expected.put("decimal", new BigDecimal("9.99"));
    expected.put("time", Instant.ofEpochMilli(1));
    expected.put("span", Duration.ofMillis(1_500));
    expected.put("offset", Instant.ofEpochMilli(1));
    expected.put("uri", "a:b");
    assertThat(seen.applicationProperties()).usingRecursiveComparison().isEqualTo(expected);
  }

  @Test
  @Rule({"S-164", "S-081", "S-166"})
  void theTimeToLiveIsTheEffectiveOneHoweverLong() {
    var longest = 60L * 24 * 3_600_000; // more than the header can say
    broker.queue(QueueDefinition.named("short").with().defaultTimeToLiveMillis(40_000).build());
    var message = new OutgoingMessage(Map.of(), longest, 0, Map.of(), ByteBuffer.allocate(0));
    direct.send("q", message);
    direct.send("q", DirectFixture.text("for ever"));
    direct.send("short", message);

    assertThat(direct.lock("q").stored().ttlMillis()).isEqualTo(longest);
    assertThat(direct.lock("q").stored().ttlMillis()).isEqualTo(QueueDefinition.FOREVER);
    assertThat(direct.lock("short").stored().ttlMillis()).isEqualTo(40_000);
  }

  @Test
  @Rule({"S-147", "S-148"})
  void aScheduledMessageWaitsForItsTime() {
    var due = broker.clock.wallMillis() + 60_000;
    direct.send(
        "q",
        new OutgoingMessage(
            Map.of(), QueueDefinition.FOREVER, due, Map.of(), ByteBuffer.allocate(0)));
    assertThat(direct.isEmpty("q")).isTrue();

    direct.advance(Duration.ofSeconds(61));

    var stored = direct.lock("q").stored();
    assertThat(stored.dueAtMillis()).isEqualTo(due);
    assertThat(stored.state())
        .as("it was scheduled, as over AMQP")
        .isEqualTo(MessageState.SCHEDULED);
  }

  @Test
  void aMessageWithoutAnIdGetsOneOf32HexDigits() {
    direct.send("q", DirectFixture.text("a"));

    assertThat(direct.lock("q").texts().get(TextProperty.MESSAGE_ID)).matches("[0-9a-f]{32}");
  }

  @Test
  void aContentTypeThatTheWireCannotSayIsRefused() {
    var sent = direct.send("q", DirectFixture.text("a", TextProperty.CONTENT_TYPE, "täxt/plain"));

    assertThat(DirectFixture.misfit(sent)).isEqualTo(Misfit.MALFORMED);
  }

  // --- large ones ---

  private static byte[] noise(int bytes) {
    var noise = new byte[bytes];
    for (var i = 0; i < bytes; i++) {
      noise[i] = (byte) (i * 31 + (i >> 8));
    }
    return noise;
  }

  private void sendLarge(byte[] body) {
    broker
        .client()
        .sender(0, 0, "q")
        .inFrames(
            0, new TestMessage().properties("big").section(TestMessage.DATA, body).bytes(), 60_000);
  }

  /** Reads a rest to its end; a null among the pieces is a failure. */
  private static final class Reader implements BodyRest.Listener {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int pieces;
    boolean last;

    @Override
    public void piece(byte[] piece, boolean isLast) {
      assertThat(piece).hasSizeLessThanOrEqualTo(256 << 10);
      bytes.writeBytes(piece);
      pieces++;
      last = isLast;
    }

    @Override
    public void failed(String reason) {
      throw new AssertionError(reason);
    }
  }

  @Test
  void aLargeMessageIsReadPieceByPieceAndItsLockIsLikeAnyOther() {
    var body = noise(3 << 20);
    sendLarge(body);

    var message = direct.lock("q");
    assertThat(broker.underWay()).isEqualTo(1 << 20);
    var reader = new Reader();
    reader.bytes.writeBytes(message.body());
    assertThat(message.texts()).containsEntry(TextProperty.MESSAGE_ID, "big");
    while (!reader.last) {
      TestClient.there(message.rest()).next(reader);
      direct.settle();
    }

    assertThat(Arrays.equals(reader.bytes.toByteArray(), body)).isTrue();
    assertThat(reader.pieces).isGreaterThan(10);
    TestClient.there(message.rest()).close(); // nothing any more
    direct.settle();
    assertThat(broker.underWay()).isEqualTo(1 << 20);
    message.taken().run();
    direct.settle();
    assertThat(direct.isEmpty("q")).isTrue();
    assertThat(broker.underWay()).isZero();
    assertThat(broker.journal.leaks()).isZero();
  }

  @Test
  void aLargeMessageThatIsNotReadToItsEndIsFreeAgainWithoutACount() {
    sendLarge(noise(3 << 20));
    var message = direct.lock("q");
    TestClient.there(message.rest()).next(new Reader());
    direct.settle();

    TestClient.there(message.rest()).close();
    direct.settle();

    assertThat(direct.lock("q").stored().failedDeliveries()).isZero();
  }

  @Test
  void whoGoesAwayBeforeALargeMessageBeginsLeavesItFree() {
    sendLarge(noise(3 << 20));
    var waiting = direct.messaging.receive(new ReceiveOrder("q", ReceiveMode.PEEK_LOCK, 60_000));
    broker.shardExecutor.settle();
    assertThat(waiting).isNotDone();

    waiting.cancel(false);
    direct.settle();

    assertThat(body(direct.lock("q"))).isNotEmpty();
    assertThat(List.of(waiting.isCancelled())).containsExactly(true);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "005372c106025601a10178", // annotations with a boolean for a key
        "005372c1050240a10178", // with null
        "005372c10a02005305a1016ba10178", // with a described text
        "005374c10b02a1016b00530100530141", // several descriptors around a boolean
        "005374c10f02a1016b005301005301c103024540", // around a map whose key is a list
        "005374c10e02a1016b005301005301e0020140", // around an array of null
        "005373c00901005301c103024540", // a message id that is such a map, described
        "005373c00e064040404040005301c103024540" // a correlation id
      })
  @Rule("S-084")
  void whatADirectMessageCannotSayIsLeftOut(String sections) {
    var receiver = broker.client().receiver(0, 1, "q", 0);
    var seen = raw(sections + "005375a00178");

    assertThat(body(seen)).isEqualTo("x");
    assertThat(seen.applicationProperties()).isEmpty();
    assertThat(receiver.take(TestClient.DETACH)).isEmpty();
  }
}
