package io.peeklock.simulator.frames;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads AMQP values in every form. */
final class WireReader {
  private final ByteBuffer in;

  WireReader(ByteBuffer in) {
    this.in = in;
  }

  boolean hasMore() {
    return in.hasRemaining();
  }

  /** What is behind what was read. */
  byte[] rest() {
    var rest = new byte[in.remaining()];
    in.get(rest);
    return rest;
  }

  @Nullable Object value() {
    var code = unsignedByte();
    if (code == 0) {
      var descriptor = value();
      return new Wire.Described(descriptor, value());
    }
    return value(code);
  }

  private int unsignedByte() {
    return in.get() & 0xff;
  }

  private @Nullable Object value(int code) {
    return switch (code >> 4) {
      case 0x4 -> empty(code);
      case 0x5 -> one(code);
      case 0x6 -> new Wire.Ushort(in.getShort() & 0xffff);
      case 0x7 -> four(code);
      case 0x8 -> eight(code);
      case 0x9 -> new UUID(in.getLong(), in.getLong());
      case 0xa -> variable(code, unsignedByte());
      case 0xb -> variable(code, in.getInt());
      case 0xc, 0xd -> compound(code);
      case 0xe, 0xf -> array(code);
      default -> throw unknown(code);
    };
  }

  private static IllegalArgumentException unknown(int code) {
    return new IllegalArgumentException("the client knows no type 0x" + Integer.toHexString(code));
  }

  private static @Nullable Object empty(int code) {
    return switch (code) {
      case 0x40 -> null;
      case 0x41 -> true;
      case 0x42 -> false;
      case 0x43 -> new Wire.Uint(0);
      case 0x44 -> new Wire.Ulong(0);
      case 0x45 -> List.of();
      default -> throw unknown(code);
    };
  }

  private Object one(int code) {
    var octet = in.get();
    return switch (code) {
      case 0x50 -> new Wire.Ubyte(octet & 0xff);
      case 0x52 -> new Wire.Uint(octet & 0xff);
      case 0x53 -> new Wire.Ulong(octet & 0xff);
      case 0x54 -> (int) octet;
      case 0x55 -> (long) octet;
      case 0x56 -> octet != 0;
      default -> throw unknown(code);
    };
  }

  private Object four(int code) {
    var bits = in.getInt();
    return switch (code) {
      case 0x70 -> new Wire.Uint(bits & 0xffff_ffffL);
      case 0x71 -> bits;
      default -> throw unknown(code);
    };
  }

  private Object eight(int code) {
    var bits = in.getLong();
    return switch (code) {
      case 0x80 -> new Wire.Ulong(bits);
      case 0x81 -> bits;
      case 0x83 -> new Wire.Timestamp(bits);
      default -> throw unknown(code);
    };
  }

  private Object variable(int code, int length) {
    var bytes = new byte[length];
    in.get(bytes);
    return switch (code & 0xf) {
      case 0x0 -> bytes;
      case 0x1 -> new String(bytes, StandardCharsets.UTF_8);
      case 0x3 -> new Wire.Symbol(new String(bytes, StandardCharsets.US_ASCII));
      default -> throw unknown(code);
    };
  }

  private int count(int code, int small) {
    var isSmall = code >> 4 == small;
    var unused = isSmall ? unsignedByte() : in.getInt();
    return isSmall ? unsignedByte() : in.getInt();
  }

  private Object compound(int code) {
    var count = count(code, 0xc);
    var items = new ArrayList<@Nullable Object>();
    for (var i = 0; i < count; i++) {
      items.add(value());
    }
    return (code & 1) == 0 ? items : map(items);
  }

  private static Map<Object, @Nullable Object> map(List<@Nullable Object> items) {
    var map = new LinkedHashMap<Object, @Nullable Object>();
    for (var i = 0; i + 1 < items.size(); i += 2) {
      map.put(java.util.Objects.requireNonNull(items.get(i)), items.get(i + 1));
    }
    return map;
  }

  private Wire.Array array(int code) {
    var count = count(code, 0xe);
    var items = new ArrayList<@Nullable Object>();
    var type = unsignedByte();
    for (var i = 0; i < count; i++) {
      items.add(value(type));
    }
    return new Wire.Array(items);
  }
}
