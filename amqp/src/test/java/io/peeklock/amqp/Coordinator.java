package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.DISPOSITION;

import io.peeklock.amqp.engine.codec.Described;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.TypedArray;
import io.peeklock.amqp.engine.codec.Unsigned;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A client's link to the transaction coordinator, and its transactions. */
final class Coordinator {
  static final int HANDLE = 70;
  static final int DECLARE = 0x31;
  static final int DISCHARGE = 0x32;
  static final int DECLARED = 0x33;
  static final int TRANSACTIONAL = 0x34;

  private final TestClient client;
  private final int session;
  private final int handle;
  private List<TestClient.Frame> settled = List.of();

  /** Attaches it as .NET does: a source of its own, and no address to go to. */
  Coordinator(TestClient client, int session, int handle) {
    this.client = client;
    this.session = session;
    this.handle = handle;
    client
        .perform(
            session,
            TestClient.ATTACH,
            "coordinator-" + handle,
            TestClient.uint(handle),
            false,
            null,
            null,
            TestClient.source("a5d9"),
            new Described(
                new Unsigned.Ulong(0x30),
                Arrays.asList(TypedArray.ofSymbols(List.of("amqp:local-transactions")))),
            null,
            null,
            TestClient.uint(0))
        .forget();
  }

  static Coordinator of(TestClient client) {
    return new Coordinator(client, 0, HANDLE);
  }

  /** Sends any message to it. */
  TestClient says(boolean settled, byte[] message) {
    return client.send(client.transfer(session, handle, 0, settled, message));
  }

  static byte[] body(Object descriptor, @Nullable Object... fields) {
    return new TestMessage()
        .section(TestMessage.VALUE, new Described(descriptor, Arrays.asList(fields)))
        .bytes();
  }

  static byte[] declaring(@Nullable Object globalId) {
    return body(new Unsigned.Ulong(DECLARE), globalId);
  }

  static byte[] discharging(byte[] id, @Nullable Object fail) {
    return body(new Symbol("amqp:discharge:list"), id, fail);
  }

  /** A new transaction. */
  byte[] declare() {
    says(false, declaring(null));
    var state = answer();
    if (TestClient.code(state) != DECLARED) {
      throw new AssertionError("not declared: " + state);
    }
    return (byte[]) TestClient.there(TestClient.inside(state));
  }

  /** The state of the only answer. */
  @Nullable Object answer() {
    return client.one(DISPOSITION).field(4);
  }

  /** Null when it worked, else the condition. */
  @Nullable String discharge(byte[] id, boolean fail) {
    says(false, discharging(id, fail));
    var all = client.take(DISPOSITION);
    settled = all.stream().filter(frame -> Boolean.FALSE.equals(frame.field(0))).toList();
    var answers = all.stream().filter(frame -> Boolean.TRUE.equals(frame.field(0))).toList();
    if (answers.size() != 1) {
      throw new AssertionError("expected one answer, got " + answers);
    }
    return condition(answers.getFirst().field(4));
  }

  /** What the last discharge said of deliveries that the transaction settled. */
  List<TestClient.Frame> settled() {
    return settled;
  }

  @Nullable String commit(byte[] id) {
    return discharge(id, false);
  }

  @Nullable String rollBack(byte[] id) {
    return discharge(id, true);
  }

  /** Null for accepted, else the condition. */
  static @Nullable String condition(@Nullable Object state) {
    return TestClient.code(state) == 0x24 ? null : TestClient.condition(TestClient.inside(state));
  }

  /** A batch of so many messages. */
  static byte[] batch(int count) {
    var batch = new TestMessage();
    for (var i = 0; i < count; i++) {
      batch.section(TestMessage.DATA, TestMessage.text("m" + i));
    }
    return batch.bytes();
  }

  static Described in(byte[] id, @Nullable Object outcome) {
    return TestClient.outcome(TRANSACTIONAL, id, outcome);
  }

  /** Sends a message in a transaction; what is answered. */
  @Nullable Object send(byte[] id, int senderHandle, String text) {
    return send(id, senderHandle, TestMessage.text(text));
  }

  @Nullable Object send(byte[] id, int senderHandle, byte[] message) {
    client.send(client.transferIn(in(id, null), senderHandle, 0, false, message));
    return answer();
  }

  /** Settles deliveries in a transaction; what is answered. */
  @Nullable Object settle(byte[] id, long first, long last, Described outcome) {
    client.dispose(first, last, false, in(id, outcome));
    return answer();
  }
}
