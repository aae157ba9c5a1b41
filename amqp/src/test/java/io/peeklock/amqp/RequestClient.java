package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.TRANSFER;

import io.peeklock.amqp.TestMessage.Parsed;
import io.peeklock.amqp.engine.codec.Unsigned;
import java.io.ByteArrayOutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A pair of links to a token or management node on one session of a client. */
final class RequestClient {
  static final int SENDER = 80;
  static final int REPLIES = 81;

  final TestClient client;
  private final int session;
  private final @Nullable String replyTo;
  private long nextId = 1;

  /** An answer. */
  record Answer(Parsed message) {
    @Nullable Object status() {
      return message.entry(TestMessage.APPLICATION_PROPERTIES, "statusCode");
    }

    @Nullable Object condition() {
      return message.entry(TestMessage.APPLICATION_PROPERTIES, "errorCondition");
    }

    String description() {
      return String.valueOf(message.entry(TestMessage.APPLICATION_PROPERTIES, "statusDescription"));
    }

    @Nullable Object correlationId() {
      return message.field(TestMessage.PROPERTIES, 5);
    }

    @Nullable Object body(String key) {
      return message.entry(TestMessage.VALUE, key);
    }
  }

  /** Attaches the pair; the replies get credit. */
  RequestClient(TestClient client, int session, String node, @Nullable String replyTo) {
    this.client = client;
    this.session = session;
    this.replyTo = replyTo;
    client.sender(session, SENDER, node);
    client.receiver(session, REPLIES, "replies-" + session, node, replyTo, 0);
    client.credit(session, REPLIES, 0, 100, false).forget();
  }

  /** Attaches nothing: the links are made by whoever asks with {@link #sendOn}. */
  RequestClient(TestClient client, int session, @Nullable String replyTo) {
    this.client = client;
    this.session = session;
    this.replyTo = replyTo;
  }

  /** Asks on another link than the own one. */
  void sendOn(int handle, Object id, Map<String, ?> properties, @Nullable Object body) {
    client.send(client.transfer(session, handle, 0, true, message(id, properties, body)));
  }

  /** Asks and hears the answer. */
  Answer ask(Map<String, ?> properties, @Nullable Object body) {
    send(new Unsigned.Ulong(nextId++), properties, body);
    return answer();
  }

  Answer answer() {
    var whole = new ByteArrayOutputStream();
    var frames = client.take(TRANSFER);
    frames.forEach(frame -> whole.writeBytes(frame.payload()));
    if (frames.stream().filter(frame -> !Objects.equals(true, frame.field(5))).count() != 1) {
      throw new AssertionError("expected one answer, got " + frames);
    }
    return new Answer(Parsed.of(whole.toByteArray()));
  }

  /** The same in a transaction. */
  Answer manageIn(byte[] transaction, String operation, Map<String, ?> body) {
    var properties = Map.of("operation", "com.microsoft:" + operation);
    var message = message(new Unsigned.Ulong(nextId++), properties, new LinkedHashMap<>(body));
    var state = Coordinator.in(transaction, null);
    client.send(client.transferIn(session, state, SENDER, 0, true, message));
    return answer();
  }

  /** Asks in a transaction, whatever it is. */
  void tellIn(byte[] transaction, Map<String, ?> properties, @Nullable Object body) {
    var state = Coordinator.in(transaction, null);
    var message = message(new Unsigned.Ulong(nextId++), properties, body);
    client.send(client.transferIn(session, state, SENDER, 0, true, message));
  }

  /** The same in frames of so many bytes, for a large one. */
  Answer inFrames(String operation, Map<String, ?> body, int frameBytes) {
    var properties = Map.of("operation", "com.microsoft:" + operation);
    var message = message(new Unsigned.Ulong(nextId++), properties, new LinkedHashMap<>(body));
    client.inFrames(SENDER, message, frameBytes);
    return answer();
  }

  void send(Object id, Map<String, ?> properties, @Nullable Object body) {
    client.send(client.transfer(session, SENDER, 0, true, message(id, properties, body)));
  }

  /** A request about which nothing is right but its size, which grows with the padding. */
  byte[] sized(String operation, int padding) {
    return new TestMessage()
        .properties(new Unsigned.Ulong(nextId++), null, null, null, replyTo)
        .section(
            TestMessage.APPLICATION_PROPERTIES, Map.of("operation", "com.microsoft:" + operation))
        .section(TestMessage.DATA, new byte[1_000 + padding])
        .bytes();
  }

  private byte[] message(Object id, Map<String, ?> properties, @Nullable Object body) {
    return new TestMessage()
        .properties(id, null, null, null, replyTo)
        .section(TestMessage.APPLICATION_PROPERTIES, new LinkedHashMap<>(properties))
        .section(TestMessage.VALUE, body)
        .bytes();
  }

  Answer putToken(String audience, String token) {
    return ask(
        Map.of(
            "operation", "put-token", "type", "servicebus.windows.net:sastoken", "name", audience),
        token);
  }

  /** The same about a link of the client. */
  Answer manageOn(String link, String operation, Map<String, ?> body) {
    return ask(
        Map.of("operation", "com.microsoft:" + operation, "associated-link-name", link),
        new LinkedHashMap<>(body));
  }

  Answer manage(String operation, Map<String, ?> body) {
    return ask(Map.of("operation", "com.microsoft:" + operation), new LinkedHashMap<>(body));
  }
}
