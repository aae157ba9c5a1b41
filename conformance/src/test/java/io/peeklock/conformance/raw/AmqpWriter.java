package io.peeklock.conformance.raw;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Java values to AMQP bytes: {@link Unsigned}, {@link Symbol}, {@link Described}, boxes, texts,
 * {@code byte[]}, UUID, Instant, lists, maps; {@code long[]}, {@code UUID[]} and {@code Symbol[]}
 * are arrays. Always the wide encodings: a reader must know them all.
 */
public final class AmqpWriter {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** The bytes of these values, one behind the other. */
  public static byte[] bytes(@Nullable Object... values) {
    var writer = new AmqpWriter();
    for (var value : values) {
      writer.write(value);
    }
    return writer.out.toByteArray();
  }

  private void write(@Nullable Object value) {
    switch (value) {
      case null -> out.write(0x40);
      case Boolean truth -> out.write(truth ? 0x41 : 0x42);
      case Unsigned number -> unsigned(number);
      case Byte number -> fixed(0x51, new byte[] {number});
      case Integer number -> fixed(0x71, octets(4, number));
      case Long number -> fixed(0x81, octets(8, number));
      case Instant moment -> fixed(0x83, octets(8, moment.toEpochMilli()));
      case UUID id -> fixed(0x98, uuid(id));
      case String text -> variable(0xb1, text.getBytes(StandardCharsets.UTF_8));
      case Symbol symbol -> variable(0xb3, symbol.text().getBytes(StandardCharsets.US_ASCII));
      case byte[] binary -> variable(0xb0, binary);
      case Described described -> described(described);
      case List<?> list -> compound(0xd0, list.size(), bytes(list.toArray()));
      case Map<?, ?> map -> map(map);
      case long[] numbers -> longs(numbers);
      case UUID[] ids -> uuids(ids);
      case Symbol[] symbols -> symbols(symbols);
      default -> throw new IllegalArgumentException("no AMQP type for " + value.getClass());
    }
  }

  private void unsigned(Unsigned number) {
    var constructor =
        switch (number.bytes()) {
          case 1 -> 0x50;
          case 2 -> 0x60;
          case 4 -> 0x70;
          default -> 0x80;
        };
    fixed(constructor, octets(number.bytes(), number.value()));
  }

  private static byte[] octets(int count, long value) {
    return Arrays.copyOfRange(ByteBuffer.allocate(8).putLong(value).array(), 8 - count, 8);
  }

  private void described(Described described) {
    out.write(0);
    if (described.descriptor() instanceof Unsigned number && number.value() < 256) {
      out.write(0x53);
      out.write((int) number.value());
    } else {
      write(described.descriptor());
    }
    write(described.value());
  }

  private void map(Map<?, ?> map) {
    var inside = new AmqpWriter();
    map.forEach(
        (key, value) -> {
          inside.write(key);
          inside.write(value);
        });
    compound(0xd1, map.size() * 2, inside.out.toByteArray());
  }

  private void longs(long[] numbers) {
    var buffer = ByteBuffer.allocate(1 + numbers.length * 8).put((byte) 0x81);
    for (var number : numbers) {
      buffer.putLong(number);
    }
    compound(0xf0, numbers.length, buffer.array());
  }

  private void uuids(UUID[] ids) {
    var buffer = ByteBuffer.allocate(1 + ids.length * 16).put((byte) 0x98);
    for (var id : ids) {
      buffer.put(uuid(id));
    }
    compound(0xf0, ids.length, buffer.array());
  }

  private void symbols(Symbol[] symbols) {
    var inside = new ByteArrayOutputStream();
    inside.write(0xb3);
    for (var symbol : symbols) {
      var text = symbol.text().getBytes(StandardCharsets.US_ASCII);
      inside.writeBytes(ByteBuffer.allocate(4).putInt(text.length).array());
      inside.writeBytes(text);
    }
    compound(0xf0, symbols.length, inside.toByteArray());
  }

  private static byte[] uuid(UUID id) {
    return ByteBuffer.allocate(16)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }

  private void fixed(int constructor, byte[] value) {
    out.write(constructor);
    out.writeBytes(value);
  }

  private void variable(int constructor, byte[] value) {
    out.write(constructor);
    out.writeBytes(ByteBuffer.allocate(4).putInt(value.length).array());
    out.writeBytes(value);
  }

  private void compound(int constructor, int count, byte[] inside) {
    out.write(constructor);
    out.writeBytes(ByteBuffer.allocate(8).putInt(inside.length + 4).putInt(count).array());
    out.writeBytes(inside);
  }
}
