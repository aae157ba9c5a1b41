package io.peeklock.conformance.lossless;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Values as AMQP bytes, each in the shortest encoding, as the client for .NET writes them. */
final class ValueWriter {
  /** Codes of types with one encoding of a fixed width, and that width. */
  private static final Map<String, int[]> FIXED =
      Map.ofEntries(
          Map.entry("ubyte", new int[] {0x50, 1}),
          Map.entry("byte", new int[] {0x51, 1}),
          Map.entry("ushort", new int[] {0x60, 2}),
          Map.entry("short", new int[] {0x61, 2}),
          Map.entry("uint", new int[] {0x70, 4}),
          Map.entry("int", new int[] {0x71, 4}),
          Map.entry("char", new int[] {0x73, 4}),
          Map.entry("ulong", new int[] {0x80, 8}),
          Map.entry("long", new int[] {0x81, 8}),
          Map.entry("timestamp", new int[] {0x83, 8}));

  private static final Map<String, Integer> BITS =
      Map.of(
          "float", 0x72, "decimal32", 0x74, "double", 0x82, "decimal64", 0x84, "decimal128", 0x94);

  private static final Map<String, Integer> TEXTS =
      Map.of("binary", 0xa0, "string", 0xa1, "symbol", 0xa3);

  private ValueWriter() {}

  static byte[] bytes(Value value) {
    var code = BITS.get(value.type());
    if (code != null) {
      return join(new byte[] {code.byteValue()}, hex(value.text()));
    }
    return switch (value.type()) {
      case "null" -> new byte[] {0x40};
      case "boolean" -> new byte[] {(byte) ("true".equals(value.text()) ? 0x41 : 0x42)};
      case "uuid" -> join(new byte[] {(byte) 0x98}, hex(value.text().replace("-", "")));
      case "binary", "string", "symbol" -> variable(value);
      case "list" -> value.parts().isEmpty() ? new byte[] {0x45} : compound(0xc0, value.parts());
      case "map" -> compound(0xc1, value.parts());
      case "array" -> array(value.parts());
      case "described" ->
          join(new byte[1], bytes(value.parts().get(0)), bytes(value.parts().get(1)));
      default -> number(value);
    };
  }

  /** A described value whose descriptor is a small number, as sections are. */
  static byte[] section(int code, byte[] content) {
    return join(new byte[] {0, 0x53, (byte) code}, content);
  }

  private static byte[] number(Value value) {
    var number = new BigInteger(value.text());
    var small = shortest(value.type(), number);
    return small.length > 0 ? small : wide(value);
  }

  private static byte[] shortest(String type, BigInteger number) {
    var isOctet = number.signum() >= 0 && number.bitLength() <= 8;
    var isSmall = number.bitLength() <= 7;
    var octet = number.byteValue();
    return switch (type) {
      case "uint" ->
          number.signum() == 0
              ? new byte[] {0x43}
              : isOctet ? new byte[] {0x52, octet} : new byte[0];
      case "ulong" ->
          number.signum() == 0
              ? new byte[] {0x44}
              : isOctet ? new byte[] {0x53, octet} : new byte[0];
      case "int" -> isSmall ? new byte[] {0x54, octet} : new byte[0];
      case "long" -> isSmall ? new byte[] {0x55, octet} : new byte[0];
      default -> new byte[0];
    };
  }

  private static byte[] wide(Value value) {
    var fixed = FIXED.get(value.type());
    if (fixed == null) {
      throw new IllegalArgumentException("no AMQP type: " + value.type());
    }
    var octets = ByteBuffer.allocate(8).putLong(new BigInteger(value.text()).longValue()).array();
    return join(new byte[] {(byte) fixed[0]}, Arrays.copyOfRange(octets, 8 - fixed[1], 8));
  }

  private static byte[] variable(Value value) {
    var content =
        "binary".equals(value.type())
            ? hex(value.text())
            : value.text().getBytes(StandardCharsets.UTF_8);
    var code = TEXTS.getOrDefault(value.type(), 0);
    return content.length < 256
        ? join(new byte[] {code.byteValue(), (byte) content.length}, content)
        : join(longText(code, content), content);
  }

  private static byte[] longText(int code, byte[] content) {
    return ByteBuffer.allocate(5).put((byte) (code + 0x10)).putInt(content.length).array();
  }

  private static byte[] compound(int code, List<Value> parts) {
    return counted(code, parts.size(), join(parts.stream().map(ValueWriter::bytes)));
  }

  private static byte[] counted(int code, int count, byte[] content) {
    if (content.length < 255 && count < 256) {
      return join(new byte[] {(byte) code, (byte) (content.length + 1), (byte) count}, content);
    }
    var head = ByteBuffer.allocate(9).put((byte) (code + 0x10)).putInt(content.length + 4);
    return join(head.putInt(count).array(), content);
  }

  /** Elements in the widest encoding, behind one constructor. */
  private static byte[] array(List<Value> parts) {
    var elements = new ByteArrayOutputStream();
    for (var part : parts) {
      var bytes = widest(part);
      elements.write(
          bytes, elements.size() == 0 ? 0 : 1, bytes.length - (elements.size() == 0 ? 0 : 1));
    }
    return counted(0xe0, parts.size(), elements.toByteArray());
  }

  private static byte[] widest(Value part) {
    return switch (part.type()) {
      case "string", "symbol" -> {
        var content = part.text().getBytes(StandardCharsets.UTF_8);
        yield join(longText(TEXTS.getOrDefault(part.type(), 0), content), content);
      }
      case "uuid" -> bytes(part);
      default -> wide(part);
    };
  }

  static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }

  private static byte[] join(byte[]... parts) {
    return join(Arrays.stream(parts));
  }

  private static byte[] join(Stream<byte[]> parts) {
    var out = new ByteArrayOutputStream();
    parts.forEach(out::writeBytes);
    return out.toByteArray();
  }
}
