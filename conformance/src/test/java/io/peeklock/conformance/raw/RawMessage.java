package io.peeklock.conformance.raw;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An AMQP message as sections.
 *
 * @param annotations by the text of their keys
 * @param properties application properties
 * @param data the first data section
 * @param value the amqp-value section
 */
@SuppressWarnings("ArrayRecordComponent")
public record RawMessage(
    Described header,
    Map<String, @Nullable Object> annotations,
    Described standard,
    Map<String, @Nullable Object> properties,
    byte[] data,
    @Nullable Object value) {

  /** The bytes of a durable message with a data section. */
  public static byte[] bytes(String messageId, Map<String, Object> properties, byte[] data) {
    return AmqpWriter.bytes(
        Described.list(0x70, true),
        Described.list(0x73, messageId),
        Described.of(0x74, properties),
        Described.of(0x75, data));
  }

  /**
   * The same of a message session, or with annotations.
   *
   * @param annotations by symbol
   */
  public static byte[] bytes(
      String messageId, @Nullable String session, Map<Symbol, Object> annotations, byte[] data) {
    return AmqpWriter.bytes(
        Described.list(0x70, true),
        Described.of(0x72, annotations),
        Described.list(
            0x73, messageId, null, null, null, null, null, null, null, null, null, session),
        Described.of(0x75, data));
  }

  /** The bytes of what a coordinator is told. */
  public static byte[] command(Described command) {
    return AmqpWriter.bytes(Described.of(0x77, command));
  }

  /** The bytes of a request to {@code $cbs} or {@code $management}. */
  public static byte[] request(
      long id, String replyTo, Map<String, Object> properties, @Nullable Object value) {
    return AmqpWriter.bytes(
        Described.list(0x73, Unsigned.ulong(id), null, null, null, replyTo),
        Described.of(0x74, properties),
        Described.of(0x77, value));
  }

  /** Takes a message apart. */
  public static RawMessage parse(byte[] bytes) {
    var header = Described.list(0x70);
    var standard = Described.list(0x73);
    Map<String, @Nullable Object> annotations = Map.of();
    Map<String, @Nullable Object> properties = Map.of();
    var data = new byte[0];
    Object value = null;
    var reader = new AmqpReader(ByteBuffer.wrap(bytes));
    while (reader.more()) {
      if (!(reader.read() instanceof Described section)) {
        throw new IllegalStateException("not a section");
      }
      switch ((int) section.code()) {
        case 0x70 -> header = section;
        case 0x72 -> annotations = byText(section.map());
        case 0x73 -> standard = section;
        case 0x74 -> properties = byText(section.map());
        case 0x75 -> data = section.value() instanceof byte[] octets ? octets : data;
        case 0x77 -> value = section.value();
        default -> {
          // Delivery annotations and footers tell us nothing.
        }
      }
    }
    return new RawMessage(header, annotations, standard, properties, data, value);
  }

  private static Map<String, @Nullable Object> byText(Map<?, ?> map) {
    var byText = new LinkedHashMap<String, @Nullable Object>();
    map.forEach((key, value) -> byText.put(key.toString(), value));
    return byText;
  }

  /** Failed attempts so far; -1 when the header does not say. */
  public long deliveryCount() {
    return header.number(4, -1);
  }

  /** The broker's number; -1 when it is not a long. */
  public long sequenceNumber() {
    return annotations.get("x-opt-sequence-number") instanceof Long number ? number : -1;
  }

  /** The id of its message session; null without. */
  public @Nullable String session() {
    return standard.field(10) instanceof String session ? session : null;
  }

  /** The message id as text. */
  public String messageId() {
    return String.valueOf(standard.field(0));
  }
}
