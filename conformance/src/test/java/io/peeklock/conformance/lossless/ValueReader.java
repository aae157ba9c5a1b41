package io.peeklock.conformance.lossless;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/** AMQP bytes as values of the types that they have. */
final class ValueReader {
  private final ByteBuffer in;

  ValueReader(byte[] bytes) {
    this.in = ByteBuffer.wrap(bytes);
  }

  boolean more() {
    return in.hasRemaining();
  }

  Value read() {
    return read(in.get() & 0xff);
  }

  private Value read(int code) {
    return switch (code) {
      case 0x00 -> Value.of("described", List.of(read(), read()));
      case 0x40 -> Value.of("null", "");
      case 0x41, 0x42 -> Value.of("boolean", code == 0x41 ? "true" : "false");
      case 0x56 -> Value.of("boolean", in.get() == 0 ? "false" : "true");
      case 0x43, 0x52, 0x70 -> unsigned("uint", width(code));
      case 0x44, 0x53, 0x80 -> unsigned("ulong", width(code));
      case 0x50 -> unsigned("ubyte", 1);
      case 0x60 -> unsigned("ushort", 2);
      case 0x73 -> unsigned("char", 4);
      case 0x51 -> signed("byte", 1);
      case 0x61 -> signed("short", 2);
      case 0x54, 0x71 -> signed("int", width(code));
      case 0x55, 0x81 -> signed("long", width(code));
      case 0x83 -> signed("timestamp", 8);
      case 0x45 -> Value.of("list", List.of());
      default -> others(code);
    };
  }

  private Value others(int code) {
    return switch (code) {
      case 0x72 -> bits("float", 4);
      case 0x82 -> bits("double", 8);
      case 0x74 -> bits("decimal32", 4);
      case 0x84 -> bits("decimal64", 8);
      case 0x94 -> bits("decimal128", 16);
      case 0x98 -> Value.of("uuid", new UUID(in.getLong(), in.getLong()).toString());
      case 0xa0, 0xb0 -> bits("binary", size(code));
      case 0xa1, 0xb1 -> text("string", size(code));
      case 0xa3, 0xb3 -> text("symbol", size(code));
      case 0xc0, 0xd0 -> Value.of("list", counted(code));
      case 0xc1, 0xd1 -> Value.of("map", counted(code));
      case 0xe0, 0xf0 -> Value.of("array", array(code));
      default -> throw new IllegalStateException("unknown AMQP constructor " + code);
    };
  }

  private static int width(int code) {
    return switch (code >> 4) {
      case 4 -> 0;
      case 5 -> 1;
      case 7 -> 4;
      default -> 8;
    };
  }

  private Value unsigned(String type, int width) {
    return Value.of(type, new BigInteger(1, octets(width)).toString());
  }

  private Value signed(String type, int width) {
    return Value.of(type, new BigInteger(octets(width)).toString());
  }

  private Value bits(String type, int width) {
    return Value.of(type, HexFormat.of().formatHex(octets(width)));
  }

  private Value text(String type, int width) {
    return Value.of(type, new String(octets(width), StandardCharsets.UTF_8));
  }

  private byte[] octets(int width) {
    var octets = new byte[width];
    in.get(octets);
    return octets;
  }

  private int size(int code) {
    return (code & 0x10) == 0 ? in.get() & 0xff : in.getInt();
  }

  private List<Value> counted(int code) {
    size(code);
    var parts = new ArrayList<Value>();
    for (var left = size(code); left > 0; left--) {
      parts.add(read());
    }
    return parts;
  }

  private List<Value> array(int code) {
    size(code);
    var left = size(code);
    var constructor = in.get() & 0xff;
    var parts = new ArrayList<Value>();
    for (; left > 0; left--) {
      parts.add(read(constructor));
    }
    return parts;
  }
}
