package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.DISPOSITION;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.there;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.TestMessage.Parsed;
import io.peeklock.amqp.engine.codec.AmqpDecodeException;
import io.peeklock.amqp.engine.codec.AmqpValues;
import io.peeklock.amqp.engine.codec.AmqpWriter;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.TypedArray;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A receiver gets what its sender wrote, whatever ways a message goes: every section, every type,
 * every kind of body, but for what the broker says of a message itself. {@code -Dmessages.seed=…}
 * for others than always, {@code -Dmessages.count=…} for more of them.
 */
class LosslessTest {
  private static final int MESSAGES = 200;

  private static final String SCHEDULED = "x-opt-scheduled-enqueue-time";
  private static final Symbol LOCK_TOKEN = new Symbol("x-opt-lock-token");

  /** What the broker says of a message. */
  private static final Set<Object> OURS =
      Set.of(
          new Symbol("x-opt-sequence-number"),
          new Symbol("x-opt-enqueued-time"),
          new Symbol("x-opt-locked-until"),
          new Symbol("x-opt-enqueue-sequence-number"),
          new Symbol("x-opt-message-state"),
          new Symbol("x-opt-deadletter-source"));

  private static final int BATCH = 0x8001_3700;
  private static final int ID = 0;
  private static final int EXPIRY = 8;
  private static final int CREATION = 9;
  private static final int FIELDS = 13;

  private final BrokerFixture broker = new BrokerFixture();
  private final TestClient sender;
  private final TestClient receiver = broker.client();
  private final Map<String, RequestClient> nodes = new LinkedHashMap<>();
  private final AnyMessage any =
      new AnyMessage(new Random(Long.getLong("messages.seed", 20261127)));
  private final long[] counts = new long[6];
  private long questions;
  private int accepted;

  LosslessTest() {
    broker.queue(QueueDefinition.named("end"));
    broker.queue(QueueDefinition.named("start").with().forwardTo("end").build());
    broker.queue(QueueDefinition.named("mortal").with().forwardDeadLettersTo("end").build());
    topic("plain");
    topic("acting");
    var rules = node("acting/Subscriptions/s");
    rules.manage(
        "add-rule",
        Map.of(
            "rule-name",
            "r",
            "rule-description",
            Map.of(
                "sql-filter", Map.of("expression", "1=1"),
                "sql-rule-action", Map.of("expression", "SET added = 1"))));
    rules.manage("remove-rule", Map.of("rule-name", "$Default"));
    sender = broker.client();
    var handle = 0;
    for (var target : List.of("q", "start", "mortal", "plain", "acting")) {
      sender.sender(0, handle++, target);
    }
    handle = 0;
    for (var source :
        List.of(
            "q",
            "end",
            "mortal",
            "plain/Subscriptions/s",
            "acting/Subscriptions/s",
            "q/$deadletterqueue")) {
      receiver.receiver(0, handle++, source, 0);
    }
  }

  private void topic(String name) {
    broker.queue(QueueDefinition.named(name).as(new QueueRole.Topic(false)));
    broker.queue(
        QueueDefinition.named(name + "/Subscriptions/s")
            .as(new QueueRole.Subscription(name, true)));
  }

  /** The management node of an entity, on a connection of its own. */
  private RequestClient node(String entity) {
    return nodes.computeIfAbsent(
        entity, path -> new RequestClient(broker.client(), 0, path + "/$management", "me"));
  }

  private boolean isAccepted(int handle, byte[] message) {
    sender.forget().message(handle, message);
    return TestClient.code(sender.one(DISPOSITION).field(4)) == 0x24;
  }

  /** The next message of one of the receiver's links. */
  private TestClient.Frame next(int handle) {
    oneMore(receiver.forget(), handle, counts[handle]++);
    return receiver.one(TRANSFER);
  }

  /** Credit for one more delivery, and room for all that this test has. */
  private static void oneMore(TestClient client, int handle, long before) {
    client.perform(
        0,
        TestClient.FLOW,
        TestClient.uint(0),
        TestClient.uint(10_000_000),
        TestClient.uint(0),
        TestClient.uint(10_000_000),
        TestClient.uint(handle),
        TestClient.uint(before),
        TestClient.uint(1));
  }

  private void settle(TestClient.Frame transfer, Object state) {
    receiver.dispose(transfer.number(1), transfer.number(1), true, state);
  }

  private void arrives(int handle, byte[] sent, String way) {
    var transfer = next(handle);
    isSame(transfer.payload(), sent, way);
    settle(transfer, TestClient.accepted());
  }

  @Test
  @Rule({"S-072", "S-076", "S-079", "S-077", "S-084", "T-52", "T-73", "I-04"})
  void nothingIsLostOnAnyWay() {
    for (var i = 0; i < Integer.getInteger("messages.count", MESSAGES); i++) {
      var sent = any.bytes();
      if (isReadable(sent) && isAccepted(0, sent)) {
        accepted++;
        staysAsItIs(sent);
        moves(sent);
        comesInABatch(sent);
      }
      isActiveLater();
    }
    assertThat(accepted).isPositive();
    assertThat(broker.journal.leaks()).isZero();
    assertThat(broker.journal.liveBodies()).isZero();
  }

  /**
   * Whether it can be compared: maps with lists for keys cannot, nor those that have a key twice,
   * as a string and as a symbol.
   */
  private static boolean isReadable(byte[] sent) {
    try {
      var message = Parsed.of(sent);
      return message.values().stream().allMatch(LosslessTest::hasEachKeyOnce);
    } catch (AmqpDecodeException unreadable) {
      return false;
    }
  }

  private static boolean hasEachKeyOnce(@Nullable Object section) {
    return !(section instanceof Map<?, ?> map)
        || map.keySet().stream().map(String::valueOf).distinct().count() == map.size();
  }

  /** Peeked, received, set aside, received by number, and dead. */
  private void staysAsItIs(byte[] sent) {
    isSame(listed("peek-message", peek()), sent, "peeked");
    var first = next(0);
    isSame(first.payload(), sent, "received");
    settle(first, TestClient.released());
    var second = next(0);
    isSame(second.payload(), sent, "received again");
    settle(second, TestClient.modified(true, Map.of()));
    isSame(listed("peek-message", peek()), sent, "peeked while deferred");
    var number = parsed(second).entry(TestMessage.ANNOTATIONS, "x-opt-sequence-number");
    var entry = entry("receive-by-sequence-number", byNumber((long) there((Long) number)));
    isSame((byte[]) there(entry.get("message")), sent, "received by number");
    var token = (UUID) there(entry.get("lock-token"));
    asked(
        "update-disposition",
        Map.of(
            "disposition-status", "suspended", "lock-tokens", TypedArray.ofUuids(List.of(token))));
    arrives(5, sent, "dead");
  }

  private static Map<String, ?> peek() {
    return Map.of("from-sequence-number", 0L, "message-count", 1);
  }

  private static Map<String, ?> byNumber(long number) {
    return Map.of(
        "sequence-numbers", TypedArray.ofLongs(number), "receiver-settle-mode", TestClient.uint(1));
  }

  private Map<?, ?> entry(String operation, Map<String, ?> body) {
    var messages = (List<?>) there(asked(operation, body).body("messages"));
    return (Map<?, ?>) there(messages.getFirst());
  }

  private RequestClient.Answer asked(String operation, Map<String, ?> body) {
    var node = node("q");
    oneMore(node.client, RequestClient.REPLIES, questions++);
    return node.manage(operation, body);
  }

  private byte[] listed(String operation, Map<String, ?> body) {
    return (byte[]) there(entry(operation, body).get("message"));
  }

  private static Parsed parsed(TestClient.Frame transfer) {
    return Parsed.of(transfer.payload());
  }

  /** Forwarded, alive and dead, and copied. */
  private void moves(byte[] sent) {
    assertThat(isAccepted(1, sent)).isTrue();
    arrives(1, sent, "forwarded");
    assertThat(isAccepted(2, sent)).isTrue();
    settle(next(2), TestClient.deadLetter(Map.of()));
    arrives(1, sent, "dead and forwarded");
    assertThat(isAccepted(3, sent)).isTrue();
    arrives(3, sent, "copied");
    assertThat(isAccepted(4, sent)).isTrue();
    arrives(4, sent, "copied with a change");
  }

  private void comesInABatch(byte[] sent) {
    var batch =
        new TestMessage().section(TestMessage.DATA, sent).section(TestMessage.DATA, sent).bytes();
    sender.forget().send(sender.transfer(0, 0, BATCH, false, batch));
    assertThat(TestClient.code(sender.one(DISPOSITION).field(4))).isEqualTo(0x24);
    arrives(0, sent, "in a batch");
    arrives(0, sent, "second in a batch");
  }

  private void isActiveLater() {
    var due = Unpooled.buffer();
    AmqpWriter.writeSymbol(due, SCHEDULED);
    AmqpWriter.writeTimestamp(due, broker.clock.wallMillis() + 1_000);
    var sent = any.bytes(ByteBufUtil.getBytes(due));
    if (isReadable(sent) && isAccepted(0, sent)) {
      isSame(listed("peek-message", peek()), sent, "peeked while scheduled");
      broker.advance(Duration.ofSeconds(1));
      arrives(0, sent, "active later");
    }
  }

  // --- what is the same ---

  private static void isSame(byte[] got, byte[] sent, String way) {
    var wanted = normal(Parsed.of(sent), Parsed.of(sent));
    var found = normal(Parsed.of(got), Parsed.of(sent));
    assertThat(hex(found))
        .as(
            "%s: sent %s, got %s: %s instead of %s",
            way, HexFormat.of().formatHex(sent), HexFormat.of().formatHex(got), found, wanted)
        .isEqualTo(hex(wanted));
  }

  private static String hex(List<@Nullable Object> normal) {
    ByteBuf out = Unpooled.buffer();
    AmqpValues.encode(out, normal);
    return ByteBufUtil.hexDump(out);
  }

  /**
   * A message without what is the broker's, and with what it says of every one: absent and empty
   * sections are the same, and so are absent fields and nulls.
   */
  private static List<@Nullable Object> normal(Parsed message, Parsed sent) {
    var parts = new ArrayList<@Nullable Object>();
    for (var field = 0; field < 4; field++) {
      var value = message.field(TestMessage.HEADER, field);
      if (field != 2) { // the time to live
        parts.add(value == null && field == 0 ? true : value == null && field == 3 ? false : value);
      }
    }
    parts.add(annotations(message.section(TestMessage.DELIVERY_ANNOTATIONS)));
    parts.add(annotations(message.section(TestMessage.ANNOTATIONS)));
    parts.add(properties(message, sent));
    parts.add(applicationProperties(message));
    for (var i = 0; i < message.codes().size(); i++) {
      var code = message.codes().get(i);
      if (code >= TestMessage.DATA && code <= TestMessage.VALUE) {
        parts.add(code);
        parts.add(message.values().get(i));
      }
    }
    parts.add(annotations(message.section(TestMessage.FOOTER)));
    return parts;
  }

  private static Map<Object, @Nullable Object> annotations(@Nullable Object section) {
    var normal = new LinkedHashMap<Object, @Nullable Object>();
    if (section instanceof Map<?, ?> map) {
      map.forEach(
          (key, value) -> normal.put(key instanceof String text ? new Symbol(text) : key, value));
    }
    normal.keySet().removeAll(OURS);
    normal.remove(LOCK_TOKEN);
    return normal;
  }

  private static List<@Nullable Object> properties(Parsed message, Parsed sent) {
    var ttl = sent.field(TestMessage.HEADER, 2);
    var ends = ttl != null && TestClient.asLong(ttl) > 0; // then R-36 says both times
    var fields = new ArrayList<@Nullable Object>();
    for (var field = 0; field < FIELDS; field++) {
      var isOurs =
          (field == ID && sent.field(TestMessage.PROPERTIES, ID) == null)
              || (ends && (field == EXPIRY || field == CREATION));
      fields.add(isOurs ? null : message.field(TestMessage.PROPERTIES, field));
    }
    return fields;
  }

  private static Map<Object, @Nullable Object> applicationProperties(Parsed message) {
    var normal = new LinkedHashMap<Object, @Nullable Object>();
    if (message.section(TestMessage.APPLICATION_PROPERTIES) instanceof Map<?, ?> map) {
      normal.putAll(map);
    }
    normal.remove("added");
    normal.remove("RuleName");
    return normal;
  }
}
