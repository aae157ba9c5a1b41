package io.peeklock.conformance.lossless;

import io.peeklock.conformance.raw.Described;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.conformance.raw.Unsigned;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** Frames, with messages in the encodings that the client for .NET chooses. */
final class RawMember implements Member {
  private static final int AT_ONCE = 100;
  private static final int BATCH = 0x8001_3700;

  private final int port;
  private final Map<String, List<Long>> deferred = new HashMap<>();

  RawMember(int port) {
    this.port = port;
  }

  @Override
  public Client client() {
    return Client.RAW;
  }

  /** Each call has a connection of its own. */
  @Override
  public void connect() {}

  @Override
  public void send(String to, boolean singly, List<Description> messages) throws IOException {
    var all = messages.stream().map(MessageBytes::write).toList();
    try (var connection = RawConnection.ready(port)) {
      RawLinks.attached(connection, RawLinks.sender(0, to));
      if (singly) {
        for (var each : all) {
          RawLinks.transfer(connection, 0, false, each);
          isAccepted(connection);
        }
      } else {
        batch(connection, all);
        isAccepted(connection);
      }
    }
  }

  private static void batch(RawConnection connection, List<byte[]> all) throws IOException {
    var batch = new ByteArrayOutputStream();
    for (var each : all) {
      batch.writeBytes(
          ValueWriter.section(
              0x75, ValueWriter.bytes(Value.of("binary", HexFormat.of().formatHex(each)))));
    }
    var bytes = batch.toByteArray();
    var most = 60_000;
    for (var start = 0; start < bytes.length; start += most) {
      var end = Math.min(bytes.length, start + most);
      connection.send(
          0,
          Described.list(
              RawConnection.TRANSFER,
              Unsigned.uint(0),
              Unsigned.uint(0),
              new byte[1],
              Unsigned.uint(BATCH & 0xffff_ffffL),
              false,
              end < bytes.length),
          Arrays.copyOfRange(bytes, start, end));
    }
  }

  private static void isAccepted(RawConnection connection) throws IOException {
    connection.flush();
    var state = connection.await(RawConnection.DISPOSITION).field(4);
    if (!Described.list(0x24).equals(state)) {
      throw new IOException("not accepted: " + state);
    }
  }

  @Override
  public void schedule(String to, Duration after, List<Description> messages) throws IOException {
    var due = Value.of("timestamp", Long.toString(System.currentTimeMillis() + after.toMillis()));
    var entries = new ArrayList<Map<String, Object>>();
    for (var message : messages) {
      var parts = new TreeMap<>(message.parts());
      var annotations = new ArrayList<Value>();
      annotations.add(Value.of("symbol", "x-opt-scheduled-enqueue-time"));
      annotations.add(due);
      annotations.addAll(parts.getOrDefault("annotations", Value.of("map", List.of())).parts());
      parts.put("annotations", Value.of("map", annotations));
      var entry = new LinkedHashMap<String, Object>();
      entry.put("message-id", "number " + entries.size());
      entry.put("message", MessageBytes.write(new Description(parts)));
      entries.add(entry);
    }
    try (var connection = RawConnection.ready(port)) {
      ask(connection, to, "schedule-message", Map.of("messages", entries));
    }
  }

  private static List<Map<?, ?>> ask(
      RawConnection connection, String entity, String operation, Map<String, ?> body)
      throws IOException {
    Map<String, Object> what = Map.of("operation", "com.microsoft:" + operation);
    var reply = RawLinks.ask(connection, entity + "/$management", what, body);
    var status = reply.properties().get("statusCode");
    if (!(status instanceof Integer code) || code >= 300) {
      throw new IOException(operation + ": " + reply.properties());
    }
    var entries = new ArrayList<Map<?, ?>>();
    if (reply.value() instanceof Map<?, ?> answer
        && answer.get("messages") instanceof List<?> all) {
      all.forEach(each -> entries.add((Map<?, ?>) each));
    }
    return entries;
  }

  private static Description message(Map<?, ?> entry) {
    return entry.get("message") instanceof byte[] bytes
        ? MessageBytes.read(bytes)
        : new Description(new TreeMap<>());
  }

  private static long number(Description message) {
    var annotations = message.parts().get("annotations");
    var parts = annotations == null ? List.<Value>of() : annotations.parts();
    for (var i = 0; i < parts.size(); i += 2) {
      if ("x-opt-sequence-number".equals(parts.get(i).text())) {
        return Long.parseLong(parts.get(i + 1).text());
      }
    }
    throw new IllegalStateException("no number in " + message);
  }

  @Override
  public Map<String, List<Description>> peek(String from, int count) throws IOException {
    var all = new ArrayList<Description>();
    try (var connection = RawConnection.ready(port)) {
      while (all.size() < count) {
        var next = all.isEmpty() ? 1 : number(all.getLast()) + 1;
        var which =
            Map.of("from-sequence-number", next, "message-count", Math.min(50, count - all.size()));
        var some = ask(connection, from, "peek-message", which);
        if (some.isEmpty()) {
          break;
        }
        some.forEach(entry -> all.add(message(entry)));
      }
    }
    return Map.of("peeked", all);
  }

  @Override
  public Map<String, List<Description>> take(String from, int count) throws IOException {
    return Map.of("received", received(from, count, Described.list(0x24)));
  }

  @Override
  public Map<String, List<Description>> defer(String from, int count) throws IOException {
    var all = received(from, count, Described.list(0x27, false, true));
    deferred.put(from, all.stream().map(RawMember::number).toList());
    return Map.of("received", all);
  }

  private List<Description> received(String from, int count, Described outcome) throws IOException {
    var all = new ArrayList<Description>();
    try (var connection = RawConnection.ready(port)) {
      RawLinks.attached(connection, RawLinks.receiver(0, from));
      var payload = new ByteArrayOutputStream();
      var id = 0L;
      while (all.size() < count) {
        if (payload.size() == 0) {
          connection.send(0, RawLinks.flow(0, all.size(), 1, false));
          connection.flush();
        }
        var frame = connection.readFrame();
        if (frame.code() == RawConnection.TRANSFER && frame.performative() != null) {
          payload.writeBytes(frame.payload());
          id = frame.performative().number(1, id);
          if (!frame.performative().truth(5)) {
            all.add(MessageBytes.read(payload.toByteArray()));
            payload.reset();
            connection.send(0, RawLinks.settle(id, false, outcome));
            connection.flush();
            var state = connection.await(RawConnection.DISPOSITION).field(4);
            if (!(state instanceof Described settled) || settled.code() != outcome.code()) {
              throw new IOException("not settled: " + state);
            }
          }
        }
      }
    }
    return all;
  }

  @Override
  public Map<String, List<Description>> bury(String from) throws IOException {
    var all = new ArrayList<Description>();
    var numbers = deferred.getOrDefault(from, List.of());
    try (var connection = RawConnection.ready(port)) {
      for (var start = 0; start < numbers.size(); start += AT_ONCE) {
        var some = numbers.subList(start, Math.min(numbers.size(), start + AT_ONCE));
        var which =
            Map.of(
                "sequence-numbers",
                some.stream().mapToLong(Long::longValue).toArray(),
                "receiver-settle-mode",
                Unsigned.uint(1));
        for (var entry : ask(connection, from, "receive-by-sequence-number", which)) {
          all.add(message(entry));
          var token = entry.get("lock-token") instanceof UUID id ? id : new UUID(0, 0);
          var lock = Map.of("disposition-status", "suspended", "lock-tokens", new UUID[] {token});
          ask(connection, from, "update-disposition", lock);
        }
      }
    }
    var dead = received(from + "/$deadletterqueue", all.size(), Described.list(0x24));
    return Map.of("by number", all, "dead", dead);
  }

  @Override
  public void close() {}
}
