package io.peeklock.amqp.engine.framing;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.codec.AmqpDecodeException;
import io.peeklock.amqp.engine.codec.AmqpReader;
import io.peeklock.amqp.engine.codec.AmqpValues;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.FormatCode;
import io.peeklock.amqp.engine.codec.ValueCheck;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The performative at the start of a frame body: checked once, then its fields are located and read
 * one by one. Reusable, without garbage but for the objects asked for. Trimmed lists are the same
 * as full ones. A mismatch becomes a {@link ProtocolViolation}.
 */
public final class Performative {
  private static final int MAX_FIELDS = 14;

  private final AmqpReader reader = new AmqpReader();
  private final ValueCheck check = new ValueCheck();
  private final int[] fieldAt = new int[MAX_FIELDS + 1];
  private ByteBuf buffer = Unpooled.EMPTY_BUFFER;
  private long code;
  private int count;

  /**
   * Checks the performative and finds its fields.
   *
   * @return the absolute index behind it, where a transfer's payload starts
   */
  public int locate(ByteBuf source, int offset, int end) {
    buffer = source;
    check.start(end - offset);
    int behind = check.checkPerformative(source, offset, end);
    if (behind < 0) {
      throw ProtocolViolation.of(AmqpError.DECODE_ERROR, check.problem());
    }
    try {
      locateFields(offset, behind);
    } catch (AmqpDecodeException malformed) {
      throw ProtocolViolation.undecodable(malformed);
    }
    return behind;
  }

  private void locateFields(int offset, int end) {
    reader.reset(buffer, offset, end - offset);
    code = reader.readDescriptor();
    count = reader.enterList();
    if (count > MAX_FIELDS) {
      throw new AmqpDecodeException("a performative has too many fields");
    }
    for (int i = 0; i < count; i++) {
      fieldAt[i] = reader.position();
      reader.skip();
    }
    fieldAt[count] = end;
  }

  /** The descriptor. */
  public long code() {
    return code;
  }

  /** The buffer that the offsets point into. */
  public ByteBuf buffer() {
    return buffer;
  }

  /** Whether a field is there and not null. */
  public boolean has(int field) {
    return field < count && buffer.getByte(fieldAt[field]) != FormatCode.NULL;
  }

  /** The absolute index of a field that is there. */
  public int offset(int field) {
    return fieldAt[field];
  }

  /** How many bytes a field that is there takes. */
  public int length(int field) {
    return fieldAt[field + 1] - fieldAt[field];
  }

  /** A {@code boolean}; false when null. */
  public boolean flag(int field) {
    if (!has(field)) {
      return false;
    }
    try {
      return at(field).readBoolean();
    } catch (AmqpDecodeException malformed) {
      throw ProtocolViolation.undecodable(malformed);
    }
  }

  /** The 32 bits of a {@code uint}. */
  public int uint(int field, int otherwise) {
    return (int) unsigned(field, otherwise);
  }

  /** A {@code uint} that must be there. */
  public int requiredUint(int field, String name) {
    require(field, name);
    return (int) unsigned(field, 0);
  }

  /** A {@code ubyte}, {@code ushort} or {@code uint}, whatever the field's type is. */
  public long unsigned(int field, long otherwise) {
    if (!has(field)) {
      return otherwise;
    }
    try {
      AmqpReader value = at(field);
      return switch (value.peekCode()) {
        case FormatCode.UBYTE -> value.readUbyte();
        case FormatCode.USHORT -> value.readUshort();
        default -> value.readUint();
      };
    } catch (AmqpDecodeException malformed) {
      throw ProtocolViolation.undecodable(malformed);
    }
  }

  /** The 64 bits of a {@code ulong}. */
  public long ulong(int field, long otherwise) {
    if (!has(field)) {
      return otherwise;
    }
    try {
      return at(field).readUlong();
    } catch (AmqpDecodeException malformed) {
      throw ProtocolViolation.undecodable(malformed);
    }
  }

  /** A {@code string} or {@code symbol}. */
  public @Nullable String text(int field) {
    if (!has(field)) {
      return null;
    }
    try {
      return at(field).readText();
    } catch (AmqpDecodeException malformed) {
      throw ProtocolViolation.undecodable(malformed);
    }
  }

  /** A {@code string} or {@code symbol} that must be there. */
  public String requiredText(int field, String name) {
    String text = text(field);
    if (text == null) {
      throw missing(name);
    }
    return text;
  }

  /** A {@code binary} as a copy; empty when null. */
  public byte[] binary(int field) {
    if (!has(field)) {
      return new byte[0];
    }
    try {
      return at(field).readBinary();
    } catch (AmqpDecodeException malformed) {
      throw ProtocolViolation.undecodable(malformed);
    }
  }

  /** The length of a {@code binary}, 0 when null; its bytes end where the field ends. */
  public int binaryLength(int field) {
    if (!has(field)) {
      return 0;
    }
    try {
      return at(field).readContent();
    } catch (AmqpDecodeException malformed) {
      throw ProtocolViolation.undecodable(malformed);
    }
  }

  /** A map with text keys; empty when null. */
  public Map<String, @Nullable Object> textMap(int field) {
    if (!has(field)) {
      return Map.of();
    }
    try {
      return AmqpValues.decodeTextMap(at(field));
    } catch (AmqpDecodeException malformed) {
      throw ProtocolViolation.undecodable(malformed);
    }
  }

  /** An {@code error}; null when null. */
  public @Nullable AmqpError error(int field) {
    if (!has(field)) {
      return null;
    }
    var inner = new Performative();
    inner.locate(buffer, offset(field), offset(field) + length(field));
    if (inner.code() != Descriptor.ERROR) {
      throw ProtocolViolation.of(AmqpError.DECODE_ERROR, "not an error");
    }
    return new AmqpError(inner.requiredText(0, "condition"), inner.text(1), inner.textMap(2));
  }

  /** Refuses a performative without this field. */
  public void require(int field, String name) {
    if (!has(field)) {
      throw missing(name);
    }
  }

  private AmqpReader at(int field) {
    reader.position(fieldAt[field]);
    return reader;
  }

  private static ProtocolViolation missing(String name) {
    return ProtocolViolation.of(AmqpError.INVALID_FIELD, "the mandatory field is null: " + name);
  }
}
