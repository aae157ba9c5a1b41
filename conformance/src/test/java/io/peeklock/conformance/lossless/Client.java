package io.peeklock.conformance.lossless;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * A client, with what its interface can write, and what it shows of what came. For people this
 * stands in {@code docs/internals/what-clients-lose.md}.
 */
enum Client {
  /** Frames, as the client for .NET writes them. */
  RAW("", ""),
  JAVA("array described", "array described decimal32 decimal64 decimal128"),
  JAVASCRIPT(
      "array described decimal32 decimal64 decimal128", "described decimal32 decimal64 decimal128"),
  PYTHON("char decimal32 decimal64 decimal128", "char decimal32 decimal64 decimal128"),
  GO(
      "array char described decimal32 decimal64 decimal128",
      "char described decimal32 decimal64 decimal128");

  private static final String ALL =
      "null boolean ubyte ushort uint ulong byte short int long float double char timestamp uuid"
          + " binary string symbol decimal32 decimal64 decimal128 list map array described";

  private static final int MOST_FOR_JAVA = 120;
  private static final long MOST_IN_A_NUMBER = 1L << 53;

  private final String unwritten;
  private final String unread;

  Client(String unwritten, String unread) {
    this.unwritten = unwritten;
    this.unread = unread;
  }

  /** As in the name of its folder. */
  String language() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The types of values that this one can send to another. */
  Set<String> typesTo(Client receiver) {
    var types = new TreeSet<>(types(ALL));
    types.removeAll(types(unwritten));
    types.removeAll(types(receiver.unread));
    return types;
  }

  private static List<String> types(String words) {
    return List.of(words.split(" ", -1));
  }

  /** Whether it has several data or sequence sections in one message. */
  boolean hasManySections() {
    return this != JAVA;
  }

  /** Whether ids are other than text for it. */
  boolean hasTypedIds() {
    return this != JAVA;
  }

  /** Whether it has user-id. */
  boolean hasUserId() {
    return this != JAVASCRIPT;
  }

  /** Whether it can write a section of annotations, or a footer, of so many bytes. */
  boolean hasRoomFor(int bytes) {
    return this != JAVA || bytes < MOST_FOR_JAVA;
  }

  /** Whether it sends message annotations that it does not know. */
  boolean hasAnnotations() {
    return this != JAVA;
  }

  /** Whether it writes, or shows, this field of a message that has none, with its default. */
  boolean makesUp(String field) {
    return this == JAVA
        && List.of("properties.user-id", "properties.group-sequence").contains(field);
  }

  /** Whether it takes apart such a value of a section with a map, when it came this way. */
  boolean spoils(String way, String shown) {
    return this == JAVASCRIPT
        && "by number".equals(way)
        && (shown.contains("[\"bytes\"") || shown.contains("[\"timestamp\""));
  }

  /** Whether it shows a body as one section of data. */
  boolean takesForData(String part, Value shown) {
    return this == JAVASCRIPT && "value".equals(part) && "bytes".equals(shown.type());
  }

  /** What this client shows of a value that another sent. */
  Value sees(Value sent, Client sender) {
    return sees(this == JAVASCRIPT && sender == PYTHON ? withOctets(sent) : sent);
  }

  /** Python writes booleans as octets, which are numbers for JavaScript. */
  private static Value withOctets(Value sent) {
    if (sent.isCompound()) {
      return Value.of(sent.type(), sent.parts().stream().map(Client::withOctets).toList());
    }
    return "boolean".equals(sent.type())
        ? Value.of("ubyte", "true".equals(sent.text()) ? "1" : "0")
        : sent;
  }

  /** What this client shows of a value that was sent. */
  Value sees(Value sent) {
    if (this == PYTHON && "described".equals(sent.type())) {
      return sees(sent.parts().get(1)); // without its descriptor
    }
    if (this == GO && "array".equals(sent.type())) {
      return sent; // of symbols too
    }
    if (sent.isCompound()) {
      var parts = sent.parts().stream().map(this::sees).toList();
      return Value.of(shownAs(sent.type()), parts);
    }
    var type = shownAs(sent.type());
    return switch (type) {
      case "number" -> this == JAVASCRIPT ? number(sent) : Value.of(type, sent.text());
      case "bytes" -> Value.of(type, bytes(sent));
      case "double" -> Value.of(type, wide(sent));
      default -> Value.of(type, sent.text());
    };
  }

  private static String bytes(Value sent) {
    return switch (sent.type()) {
      case "binary" -> sent.text();
      case "uuid" -> sent.text().replace("-", "");
      default -> HexFormat.of().formatHex(sent.text().getBytes(StandardCharsets.UTF_8));
    };
  }

  private static double real(Value sent) {
    var bits = ByteBuffer.wrap(ValueWriter.hex(sent.text()));
    return "float".equals(sent.type()) ? bits.getFloat() : bits.getDouble();
  }

  private static String wide(Value sent) {
    return HexFormat.of().toHexDigits(Double.doubleToRawLongBits(real(sent)));
  }

  private static Value number(Value sent) {
    if (Set.of("float", "double").contains(sent.type())) {
      var real = real(sent);
      return Value.of(
          "number",
          real == Math.rint(real) && !Double.isInfinite(real)
              ? new BigDecimal(real).toBigInteger().toString()
              : wide(sent));
    }
    var number = new BigInteger(sent.text());
    var isExact = number.abs().compareTo(BigInteger.valueOf(MOST_IN_A_NUMBER)) < 0;
    return isExact
        ? Value.of("number", sent.text())
        : Value.of("bytes", HexFormat.of().toHexDigits(number.longValue()));
  }

  /** The type that it shows a value of this type with. */
  private String shownAs(String type) {
    return switch (this) {
      case RAW, JAVA -> type;
      case JAVASCRIPT -> inJavascript(type);
      case PYTHON -> inPython(type);
      case GO -> "symbol".equals(type) ? "string" : type;
    };
  }

  private static String inJavascript(String type) {
    return switch (type) {
      case "uuid", "binary" -> "bytes";
      case "string", "symbol" -> "text";
      case "array" -> "list";
      case "null", "boolean", "timestamp", "list", "map" -> type;
      default -> "number";
    };
  }

  private static String inPython(String type) {
    return switch (type) {
      case "string", "symbol", "binary" -> "bytes";
      case "float" -> "double";
      case "array" -> "list";
      case "null", "boolean", "double", "uuid", "list", "map" -> type;
      default -> "number";
    };
  }
}
