package io.peeklock.conformance.raw;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** AMQP bytes to Java values, the other way round from {@link AmqpWriter}; trusts the broker. */
public final class AmqpReader {
  private final ByteBuffer in;

  /** Reads from the position on. */
  public AmqpReader(ByteBuffer in) {
    this.in = in;
  }

  /** Whether there is another value. */
  public boolean more() {
    return in.hasRemaining();
  }

  /** The next value. */
  public @Nullable Object read() {
    return read(in.get() & 0xff);
  }

  private @Nullable Object read(int constructor) {
    return switch (constructor) {
      case 0x00 -> described();
      case 0x40 -> null;
      case 0x41 -> true;
      case 0x42 -> false;
      case 0x56 -> in.get() != 0;
      case 0x43 -> Unsigned.uint(0);
      case 0x44 -> Unsigned.ulong(0);
      case 0x45 -> List.of();
      case 0x50 -> Unsigned.ubyte(in.get() & 0xff);
      case 0x51 -> in.get();
      case 0x52 -> Unsigned.uint(in.get() & 0xff);
      case 0x53 -> Unsigned.ulong(in.get() & 0xff);
      case 0x54 -> (int) in.get();
      case 0x55 -> (long) in.get();
      case 0x60 -> Unsigned.ushort(in.getShort() & 0xffff);
      case 0x61 -> in.getShort();
      case 0x70 -> Unsigned.uint(in.getInt() & 0xffffffffL);
      case 0x71 -> in.getInt();
      case 0x72 -> in.getFloat();
      case 0x73 -> (char) in.getInt();
      case 0x80 -> Unsigned.ulong(in.getLong());
      case 0x81 -> in.getLong();
      case 0x82 -> in.getDouble();
      case 0x83 -> Instant.ofEpochMilli(in.getLong());
      case 0x98 -> new UUID(in.getLong(), in.getLong());
      default -> sized(constructor);
    };
  }

  private Object sized(int constructor) {
    var wide = (constructor & 0x10) != 0;
    var size = wide ? in.getInt() : in.get() & 0xff;
    return switch (constructor) {
      case 0xa0, 0xb0 -> octets(size);
      case 0xa1, 0xb1 -> new String(octets(size), StandardCharsets.UTF_8);
      case 0xa3, 0xb3 -> new Symbol(new String(octets(size), StandardCharsets.US_ASCII));
      case 0xc0, 0xd0 -> list(count(wide));
      case 0xc1, 0xd1 -> map(count(wide));
      case 0xe0, 0xf0 -> array(count(wide));
      default -> throw new IllegalStateException("unknown AMQP constructor 0x" + hex(constructor));
    };
  }

  private static String hex(int constructor) {
    return Integer.toHexString(constructor);
  }

  private int count(boolean wide) {
    return wide ? in.getInt() : in.get() & 0xff;
  }

  private byte[] octets(int size) {
    var octets = new byte[size];
    in.get(octets);
    return octets;
  }

  private Described described() {
    var descriptor = read();
    if (descriptor == null) {
      throw new IllegalStateException("a descriptor is null");
    }
    return new Described(descriptor, read());
  }

  private List<@Nullable Object> list(int count) {
    var list = new ArrayList<@Nullable Object>(count);
    for (var i = 0; i < count; i++) {
      list.add(read());
    }
    return list;
  }

  private List<@Nullable Object> array(int count) {
    var constructor = in.get() & 0xff;
    var array = new ArrayList<@Nullable Object>(count);
    for (var i = 0; i < count; i++) {
      array.add(read(constructor));
    }
    return array;
  }

  private Map<Object, @Nullable Object> map(int count) {
    var map = new LinkedHashMap<Object, @Nullable Object>();
    for (var i = 0; i < count; i += 2) {
      var key = read();
      if (key == null) {
        throw new IllegalStateException("a key of a map is null");
      }
      map.put(key, read());
    }
    return map;
  }
}
