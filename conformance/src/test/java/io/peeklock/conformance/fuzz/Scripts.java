package io.peeklock.conformance.fuzz;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.SharedAccess;
import io.peeklock.conformance.raw.AmqpWriter;
import io.peeklock.conformance.raw.Described;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.conformance.raw.RawMessage;
import io.peeklock.conformance.raw.Symbol;
import io.peeklock.conformance.raw.Unsigned;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What clients say after their login, frame by frame: nothing in it is wrong yet. */
final class Scripts {
  static final String VICTIM = "victim";
  static final String SESSIONS = "victim-sessions";
  static final String DUPLICATES = "victim-duplicates";
  static final String TOPIC = "victim-topic";

  /** Good until 2100, and the same in each run, so that a stream can be played again. */
  static final String TOKEN =
      SharedAccess.token(
          "sb://localhost/",
          BrokerProcess.KEY_NAME,
          BrokerProcess.KEY,
          Instant.ofEpochSecond(4_102_444_800L));

  /** Between two frames: what follows is sent when the first may be answered. */
  static final byte[] PAUSE = {};

  /** Stands for the id of the transaction that was declared: it is random. */
  static final byte[] TRANSACTION = "<the-id-it-said>".getBytes(StandardCharsets.US_ASCII);

  private static final int BATCH = 0x8001_3700;
  private static final UUID LOCK = new UUID(1, 1);

  private Scripts() {}

  /** All of them, each without open and begin. */
  static List<List<byte[]>> all() {
    return List.of(
        sends(VICTIM),
        sends(SESSIONS),
        sends(DUPLICATES),
        sends(TOPIC),
        receives(RawLinks.receiver(1, VICTIM)),
        receives(RawLinks.taker(1, VICTIM)),
        receives(RawLinks.receiver(1, TOPIC + "/Subscriptions/all")),
        receives(RawLinks.receiver(1, VICTIM + "/$deadletterqueue")),
        receives(RawLinks.sessionReceiver("any", 1, SESSIONS, null, 50, false)),
        receives(RawLinks.sessionReceiver("one", 1, SESSIONS, "s", 50, false)),
        receives(RawLinks.sessionReceiver("takes", 1, SESSIONS, "t", 50, true)),
        asks(VICTIM),
        asks(SESSIONS),
        rules(),
        claims(),
        transacts());
  }

  static byte[] open() {
    return frame(
        Described.list(
            RawConnection.OPEN,
            "fuzz",
            "localhost",
            Unsigned.uint(65_536),
            Unsigned.ushort(255),
            Unsigned.uint(60_000),
            null,
            null,
            null,
            null,
            Map.of(new Symbol("product"), "fuzz")));
  }

  static byte[] begin() {
    var window = Unsigned.uint(Integer.MAX_VALUE);
    return frame(
        Described.list(
            RawConnection.BEGIN, null, Unsigned.uint(0), window, window, Unsigned.uint(255)));
  }

  /** Puts the token for the whole namespace, as a client with a key does. */
  static List<byte[]> putToken(long sender, long receiver, long delivery) {
    return List.of(
        frame(RawLinks.sender(sender, "$cbs")),
        frame(replies(receiver, "$cbs")),
        frame(RawLinks.flow(receiver, 0, 10, false)),
        transfer(
            sender,
            delivery,
            0,
            RawMessage.request(
                1,
                "reply-here",
                Map.of(
                    "operation",
                    "put-token",
                    "type",
                    "servicebus.windows.net:sastoken",
                    "name",
                    "sb://localhost/"),
                TOKEN)));
  }

  private static Described replies(long handle, String node) {
    return Described.list(
        RawConnection.ATTACH,
        "reply-" + node,
        Unsigned.uint(handle),
        true,
        Unsigned.ubyte(0),
        Unsigned.ubyte(0),
        Described.list(0x28, node),
        Described.list(0x29, "reply-here"));
  }

  private static List<byte[]> sends(String entity) {
    var frames = new ArrayList<byte[]>();
    frames.add(frame(RawLinks.sender(5, entity)));
    for (var id = 0; id < 3; id++) {
      frames.add(transfer(5, 10 + id, 0, message("m" + id)));
    }
    var each = Described.of(0x75, message("in-a-batch"));
    var batch = AmqpWriter.bytes(Described.list(0x73, "b", null, null, null), each, each);
    frames.add(transfer(5, 13, BATCH, batch));
    var half = message("in-two-frames");
    frames.add(transfer(5, 14, 0, ByteBuffer.wrap(half).slice(0, 20), true));
    frames.add(transfer(5, 14, 0, ByteBuffer.wrap(half).slice(20, half.length - 20), false));
    frames.addAll(end(5));
    return frames;
  }

  private static byte[] message(String id) {
    var moment = Instant.ofEpochSecond(1_800_000_000);
    return AmqpWriter.bytes(
        Described.list(0x70, true, Unsigned.ubyte(4), Unsigned.uint(5_000)),
        Described.of(0x71, Map.of(new Symbol("x-opt-lock-token"), LOCK)),
        Described.of(0x72, Map.of(new Symbol("x-opt-partition-key"), "s")),
        Described.list(
            0x73,
            id,
            "user".getBytes(StandardCharsets.US_ASCII),
            "to",
            "subject",
            "reply-to",
            "correlation",
            new Symbol("text/plain"),
            null,
            moment,
            moment,
            "s",
            Unsigned.uint(0),
            "reply-session"),
        Described.of(0x74, Map.of("k", 1, "text", "value", "long", 5L, "when", moment)),
        Described.of(0x75, new byte[40]));
  }

  private static List<byte[]> receives(Described attach) {
    var frames = new ArrayList<byte[]>();
    frames.add(frame(RawLinks.sender(5, SESSIONS)));
    frames.add(transfer(5, 10, 0, message("for-me")));
    frames.add(frame(attach));
    frames.add(frame(RawLinks.flow(1, 0, 10, false)));
    frames.add(PAUSE);
    var reason = Map.of(new Symbol("DeadLetterReason"), "r");
    var outcomes =
        List.of(
            Described.list(0x24),
            Described.list(0x26),
            Described.list(0x27, true, null, Map.of(new Symbol("k"), "v")),
            Described.list(0x27, null, true),
            Described.list(
                0x25, Described.list(0x1d, new Symbol("com.microsoft:dead-letter"), "d", reason)));
    for (var i = 0; i < outcomes.size(); i++) {
      frames.add(frame(RawLinks.settle(i, i % 2 == 0, outcomes.get(i))));
    }
    var range = Unsigned.uint(5);
    frames.add(
        frame(
            Described.list(
                RawConnection.DISPOSITION,
                true,
                range,
                Unsigned.uint(9),
                true,
                Described.list(0x24))));
    frames.add(frame(RawLinks.flow(1, 10, 5, true)));
    frames.addAll(end(1));
    return frames;
  }

  private static List<byte[]> asks(String entity) {
    var one = new long[] {1};
    var raw = message("later");
    var scheduled =
        Map.of("message-id", "later", "session-id", "s", "partition-key", "s", "message", raw);
    var settled = Map.of("disposition-status", "completed", "lock-tokens", new UUID[] {LOCK, LOCK});
    return requests(
        entity + "/$management",
        Map.of("from-sequence-number", 0L, "message-count", 5),
        "peek-message",
        Map.of("lock-tokens", new UUID[] {LOCK}),
        "renew-lock",
        Map.of("messages", List.of(scheduled)),
        "schedule-message",
        Map.of("sequence-numbers", one),
        "cancel-scheduled-message",
        Map.of("sequence-numbers", one, "receiver-settle-mode", Unsigned.uint(1)),
        "receive-by-sequence-number",
        settled,
        "update-disposition",
        Map.of("session-id", "s"),
        "renew-session-lock",
        Map.of("session-id", "s", "session-state", new byte[10]),
        "set-session-state",
        Map.of("session-id", "s"),
        "get-session-state",
        Map.of("last-updated-time", Instant.EPOCH, "skip", 0, "top", 10),
        "get-message-sessions",
        Map.of("message-count", 2, "enqueued-time-utc", Instant.EPOCH),
        "batch-delete-messages");
  }

  private static List<byte[]> rules() {
    var sql = Map.of("sql-filter", Map.of("expression", "k = 1 OR text LIKE '%v%'"));
    return requests(
        TOPIC + "/Subscriptions/all/$management",
        Map.of("rule-name", "r", "rule-description", sql),
        "add-rule",
        Map.of("top", 10, "skip", 0),
        "enumerate-rules",
        Map.of("rule-name", "r"),
        "remove-rule");
  }

  private static List<byte[]> requests(String node, Object... bodiesAndOperations) {
    var frames = new ArrayList<byte[]>();
    frames.add(frame(RawLinks.sender(5, node)));
    frames.add(frame(replies(6, node)));
    frames.add(frame(RawLinks.flow(6, 0, 10, false)));
    for (var i = 0; i < bodiesAndOperations.length; i += 2) {
      Map<String, Object> operation =
          Map.of(
              "operation",
              "com.microsoft:" + bodiesAndOperations[i + 1],
              "com.microsoft:server-timeout",
              Unsigned.uint(1_000));
      var request = RawMessage.request(i, "reply-here", operation, bodiesAndOperations[i]);
      frames.add(transfer(5, 10 + i / 2, 0, request));
    }
    frames.addAll(end(5));
    return frames;
  }

  private static List<byte[]> claims() {
    return Stream.of(putToken(7, 8, 10), end(7)).flatMap(List::stream).toList();
  }

  private static List<byte[]> transacts() {
    var id = TRANSACTION;
    var frames = new ArrayList<byte[]>();
    frames.add(frame(RawLinks.coordinator(5)));
    frames.add(frame(RawLinks.sender(6, VICTIM)));
    frames.add(transfer(5, 10, 0, RawMessage.command(Described.list(0x31))));
    frames.add(PAUSE);
    var within = RawLinks.within(id, null);
    frames.add(
        frame(
            Described.list(
                RawConnection.TRANSFER,
                Unsigned.uint(6),
                Unsigned.uint(11),
                new byte[] {11},
                Unsigned.uint(0),
                false,
                false,
                null,
                within),
            message("within")));
    frames.add(transfer(5, 12, 0, RawMessage.command(Described.list(0x32, id, false))));
    frames.addAll(end(5));
    return frames;
  }

  private static List<byte[]> end(long handle) {
    return List.of(
        PAUSE,
        frame(RawLinks.detach(handle)),
        frame(Described.list(RawConnection.END)),
        frame(Described.list(RawConnection.CLOSE)));
  }

  private static byte[] transfer(long handle, long id, long format, byte[] message) {
    return transfer(handle, id, format, ByteBuffer.wrap(message), false);
  }

  private static byte[] transfer(long handle, long id, long format, ByteBuffer part, boolean more) {
    var payload = new byte[part.remaining()];
    part.get(payload);
    return frame(
        Described.list(
            RawConnection.TRANSFER,
            Unsigned.uint(handle),
            Unsigned.uint(id),
            new byte[] {(byte) id},
            Unsigned.uint(format & 0xffff_ffffL),
            false,
            more),
        payload);
  }

  static byte[] frame(Described performative) {
    return frame(performative, new byte[0]);
  }

  private static byte[] frame(Described performative, byte[] payload) {
    var head = AmqpWriter.bytes(performative);
    var body = ByteBuffer.allocate(head.length + payload.length).put(head).put(payload).array();
    return RawConnection.frame(0, 0, body);
  }

  /** SASL up to our AMQP header; without a mechanism only that header. */
  static List<byte[]> login(@Nullable String mechanism) {
    var header = new byte[] {'A', 'M', 'Q', 'P', 0, 1, 0, 0};
    if (mechanism == null) {
      return List.of(header);
    }
    var known = "\0" + BrokerProcess.KEY_NAME + "\0" + BrokerProcess.KEY;
    var response =
        mechanism.equals("PLAIN") ? known.getBytes(StandardCharsets.US_ASCII) : new byte[0];
    var init = Described.list(0x41, new Symbol(mechanism), response, "localhost");
    return List.of(
        new byte[] {'A', 'M', 'Q', 'P', 3, 1, 0, 0},
        RawConnection.frame(1, 0, AmqpWriter.bytes(init)),
        header);
  }
}
