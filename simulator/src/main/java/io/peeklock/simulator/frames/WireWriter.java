package io.peeklock.simulator.frames;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes AMQP values, each in one form, mostly the longest. */
final class WireWriter {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(bytes);

  /** The bytes of a frame; type 0 is AMQP, 1 is SASL. */
  static byte[] frame(int type, int channel, Wire.Described performative, byte[] payload) {
    var writer = new WireWriter();
    var body = writer.put(performative).bytes();
    var size = 8 + body.length + payload.length;
    var frame = new ByteArrayOutputStream(size);
    frame.writeBytes(
        new byte[] {
          (byte) (size >> 24),
          (byte) (size >> 16),
          (byte) (size >> 8),
          (byte) size,
          2,
          (byte) type,
          (byte) (channel >> 8),
          (byte) channel
        });
    frame.writeBytes(body);
    frame.writeBytes(payload);
    return frame.toByteArray();
  }

  byte[] bytes() {
    return bytes.toByteArray();
  }

  WireWriter put(@Nullable Object value) {
    try {
      write(value);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return this;
  }

  private void write(@Nullable Object value) throws IOException {
    switch (value) {
      case null -> out.writeByte(0x40);
      case Boolean truth -> out.writeByte(truth ? 0x41 : 0x42);
      case Wire.Described described -> {
        out.writeByte(0);
        write(described.descriptor());
        write(described.value());
      }
      case List<?> list -> compound(0xd0, list);
      case Map<?, ?> map -> {
        var flat = new ArrayList<@Nullable Object>();
        map.forEach(
            (key, each) -> {
              flat.add(key);
              flat.add(each);
            });
        compound(0xd1, flat);
      }
      case Wire.Array array -> array(array.items());
      default -> {
        out.writeByte(code(value));
        content(value);
      }
    }
  }

  private static int code(Object value) {
    return switch (value) {
      case Wire.Ubyte ignored -> 0x50;
      case Wire.Ushort ignored -> 0x60;
      case Wire.Uint ignored -> 0x70;
      case Wire.Ulong number -> number.value() < 256 ? 0x53 : 0x80;
      case Integer ignored -> 0x71;
      case Long ignored -> 0x81;
      case Wire.Timestamp ignored -> 0x83;
      case UUID ignored -> 0x98;
      case byte[] ignored -> 0xb0;
      case String ignored -> 0xb1;
      case Wire.Symbol ignored -> 0xb3;
      default -> throw new IllegalArgumentException("no AMQP type for " + value);
    };
  }

  private void content(Object value) throws IOException {
    switch (value) {
      case Wire.Ubyte number -> out.writeByte(number.value());
      case Wire.Ushort number -> out.writeShort(number.value());
      case Wire.Uint number -> out.writeInt((int) number.value());
      case Wire.Ulong number -> {
        if (number.value() < 256) {
          out.writeByte((int) number.value());
        } else {
          out.writeLong(number.value());
        }
      }
      case Integer number -> out.writeInt(number);
      case Long number -> out.writeLong(number);
      case Wire.Timestamp time -> out.writeLong(time.millis());
      case UUID id -> {
        out.writeLong(id.getMostSignificantBits());
        out.writeLong(id.getLeastSignificantBits());
      }
      case byte[] binary -> variable(binary);
      case String text -> variable(text.getBytes(StandardCharsets.UTF_8));
      case Wire.Symbol symbol -> variable(symbol.text().getBytes(StandardCharsets.US_ASCII));
      default -> throw new IllegalArgumentException("no AMQP type for " + value);
    }
  }

  private void variable(byte[] content) throws IOException {
    out.writeInt(content.length);
    out.write(content);
  }

  private void compound(int code, List<?> items) throws IOException {
    var inner = new WireWriter();
    for (var item : items) {
      inner.write(item);
    }
    out.writeByte(code);
    out.writeInt(4 + inner.bytes.size());
    out.writeInt(items.size());
    inner.bytes.writeTo(out);
  }

  private void array(List<?> items) throws IOException {
    var inner = new WireWriter();
    inner.out.writeByte(items.isEmpty() ? 0x81 : code(items.getFirst()));
    for (var item : items) {
      inner.content(item);
    }
    out.writeByte(0xf0);
    out.writeInt(4 + inner.bytes.size());
    out.writeInt(items.size());
    inner.bytes.writeTo(out);
  }
}
