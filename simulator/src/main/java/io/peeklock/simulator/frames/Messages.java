package io.peeklock.simulator.frames;

import io.peeklock.simulator.history.SeenMessage;
import io.peeklock.simulator.history.SentMessage;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Messages as AMQP sections, and back. */
final class Messages {
  static final long FOREVER = Long.MAX_VALUE;

  private static final int HEADER = 0x70;
  private static final int ANNOTATIONS = 0x72;
  private static final int PROPERTIES = 0x73;
  private static final int APPLICATION_PROPERTIES = 0x74;
  private static final int DATA = 0x75;
  private static final int VALUE = 0x77;
  private static final int GROUP_ID = 10;
  private static final int GENERATED_ID_CHARS = 32;

  private Messages() {}

  /** A message that has sections. */
  record Sections(Map<Integer, @Nullable Object> all) {
    static Sections of(byte[] message) {
      var all = new TreeMap<Integer, @Nullable Object>();
      var reader = new WireReader(ByteBuffer.wrap(message));
      while (reader.hasMore()) {
        var section = (Wire.Described) Objects.requireNonNull(reader.value());
        all.put((int) section.code(), section.value());
      }
      return new Sections(all);
    }

    @Nullable Object field(int section, int i) {
      return all.get(section) instanceof List<?> fields && i < fields.size() ? fields.get(i) : null;
    }

    @Nullable Object annotation(String name) {
      return Wire.entry(all.get(ANNOTATIONS), name);
    }

    @Nullable Object property(String name) {
      return Wire.entry(all.get(APPLICATION_PROPERTIES), name);
    }

    @Nullable Object value() {
      return all.get(VALUE);
    }

    @Nullable Object correlationId() {
      return field(PROPERTIES, 5);
    }
  }

  private static WireWriter section(WireWriter to, int code, @Nullable Object value) {
    return to.put(new Wire.Described(new Wire.Ulong(code), value));
  }

  /** A message as it is sent, with as many bytes as it says, or as its head needs. */
  static byte[] bytes(SentMessage message) {
    var head = head(message);
    var tag = message.tag().getBytes(StandardCharsets.UTF_8);
    var body = new byte[Math.max(tag.length + 1, message.bytes() - head.length - 8)];
    System.arraycopy(tag, 0, body, 0, tag.length);
    var whole = new java.io.ByteArrayOutputStream();
    whole.writeBytes(head);
    whole.writeBytes(section(new WireWriter(), DATA, body).bytes());
    return whole.toByteArray();
  }

  private static byte[] head(SentMessage message) {
    var out = new WireWriter();
    if (message.timeToLiveMillis() != FOREVER) {
      section(
          out, HEADER, List.of(true, new Wire.Ubyte(4), new Wire.Uint(message.timeToLiveMillis())));
    }
    if (message.dueAtMillis() != 0) {
      section(
          out,
          ANNOTATIONS,
          Map.of(
              new Wire.Symbol("x-opt-scheduled-enqueue-time"),
              new Wire.Timestamp(message.dueAtMillis())));
    }
    var fields = new ArrayList<@Nullable Object>();
    for (var i = 0; i <= GROUP_ID; i++) {
      fields.add(i == 0 ? message.messageId() : i == GROUP_ID ? message.sessionId() : null);
    }
    section(out, PROPERTIES, fields);
    section(out, APPLICATION_PROPERTIES, new LinkedHashMap<>(new TreeMap<>(message.properties())));
    return out.bytes();
  }

  /** A batch of several in one transfer. */
  static byte[] batch(List<SentMessage> messages) {
    var out = new WireWriter();
    messages.forEach(message -> section(out, DATA, bytes(message)));
    return out.bytes();
  }

  /** A request to a node. */
  static byte[] request(
      long id, @Nullable String replyTo, Map<String, ?> properties, @Nullable Object body) {
    var out = new WireWriter();
    var fields = new ArrayList<@Nullable Object>();
    fields.add(new Wire.Ulong(id));
    fields.add(null);
    fields.add(null);
    fields.add(null);
    fields.add(replyTo);
    section(out, PROPERTIES, fields);
    section(out, APPLICATION_PROPERTIES, properties);
    return section(out, VALUE, body).bytes();
  }

  /** A message whose value says something to a coordinator. */
  static byte[] value(Object value) {
    return section(new WireWriter(), VALUE, value).bytes();
  }

  /**
   * A message as a client sees it.
   *
   * @param lockId names its lock; 0 without one
   */
  static SeenMessage seen(byte[] bytes, long lockId) {
    var sections = Sections.of(bytes);
    var id = (String) sections.field(PROPERTIES, 0);
    var expiry = Wire.number(sections.field(PROPERTIES, 8), FOREVER);
    var states = SeenMessage.State.values();
    var state = (int) Wire.number(sections.annotation("x-opt-message-state"), 0);
    return new SeenMessage(
        tag((byte[]) Objects.requireNonNull(sections.all().get(DATA))),
        id != null && id.length() == GENERATED_ID_CHARS ? null : id,
        (String) sections.field(PROPERTIES, GROUP_ID),
        Wire.number(sections.annotation("x-opt-sequence-number")),
        states[state],
        (int) Wire.number(sections.field(HEADER, 4)),
        Wire.number(sections.annotation("x-opt-enqueued-time")),
        expiry,
        properties(sections),
        (String) sections.annotation("x-opt-deadletter-source"),
        lockId,
        lockId == 0 ? 0 : Wire.number(sections.annotation("x-opt-locked-until"), 0));
  }

  private static String tag(byte[] body) {
    var end = 0;
    while (end < body.length && body[end] != 0) {
      end++;
    }
    return new String(body, 0, end, StandardCharsets.UTF_8);
  }

  private static Map<String, Object> properties(Sections sections) {
    var properties = new TreeMap<String, Object>();
    if (sections.all().get(APPLICATION_PROPERTIES) instanceof Map<?, ?> map) {
      map.forEach((name, value) -> properties.put(String.valueOf(name), value));
    }
    properties.remove("DeadLetterErrorDescription");
    return properties;
  }
}
