package io.peeklock.conformance.lossless;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Messages that one client can write and another can read: each section and property or none, each
 * kind of body, values of every type with those at the ends of its range.
 */
final class MessageGenerator {
  private static final Map<String, Integer> BITS =
      Map.of(
          "byte", 8, "short", 16, "int", 32, "long", 64, "ubyte", 8, "ushort", 16, "uint", 32,
          "ulong", 64);

  private static final Map<String, Integer> OCTETS =
      Map.of("decimal32", 4, "decimal64", 8, "decimal128", 16);

  private static final List<String> ELEMENTS = List.of("int", "long", "uuid", "symbol", "string");
  private static final List<String> COMPOUND = List.of("list", "map", "array", "described");
  private static final String[] TEXTS = {
    "", "a", "plain text", "größer, 漢字 and 🙂", "x".repeat(300)
  };
  private static final int DEEPEST = 2;
  private static final long FAR = 32_503_680_000_000L; // the year 3000

  private final Random random;
  private final Client sender;
  private final Client receiver;
  private final List<String> types;

  MessageGenerator(Random random, Client sender, Client receiver) {
    this.random = random;
    this.sender = sender;
    this.receiver = receiver;
    this.types = List.copyOf(sender.typesTo(receiver));
  }

  List<Description> messages(int count) {
    var messages = new ArrayList<Description>();
    for (var i = 0; i < count; i++) {
      messages.add(one());
    }
    return messages;
  }

  private Description one() {
    var parts = new TreeMap<String, Value>();
    header(parts);
    if (some(2)) {
      properties(parts);
    }
    for (var section : List.of("delivery", "annotations", "footer")) {
      var isKept = sender.hasAnnotations() || !"annotations".equals(section);
      if (some(3) && isKept) {
        var map = section("symbol", "x-opt-", 0);
        if (sender.hasRoomFor(ValueWriter.bytes(map).length)) {
          parts.put(section, map);
        }
      }
    }
    if (some(2)) {
      parts.put("application", section("string", "", DEEPEST));
    }
    body(parts);
    return new Description(parts);
  }

  private boolean some(int of) {
    return random.nextInt(of) == 0;
  }

  private void header(Map<String, Value> parts) {
    if (some(3)) {
      parts.put("header.durable", Value.of("boolean", "true"));
    }
    if (some(3)) {
      parts.put("header.priority", Value.of("ubyte", Integer.toString(random.nextInt(10))));
    }
    if (some(4)) {
      parts.put("header.ttl", Value.of("uint", Integer.toString(86_400_000 + random.nextInt(9))));
    }
  }

  private void properties(Map<String, Value> parts) {
    for (var field : MessageBytes.PROPERTIES) {
      if (some(2) && !("user-id".equals(field) && !sender.hasUserId())) {
        parts.put("properties." + field, property(field));
      }
    }
  }

  private Value property(String field) {
    return switch (field) {
      case "message-id", "correlation-id" -> id();
      case "user-id" -> Value.of("binary", digits(1 + random.nextInt(20)));
      case "content-type", "content-encoding" -> Value.of("symbol", name());
      case "absolute-expiry-time", "creation-time" ->
          Value.of("timestamp", Long.toString(FAR + random.nextInt(1_000_000)));
      case "group-sequence" -> value("uint", 0);
      case "subject" -> Value.of("string", TEXTS[1 + random.nextInt(TEXTS.length - 2)]);
      default -> Value.of("string", name());
    };
  }

  private Value id() {
    var text = Value.of("string", name());
    if (!sender.hasTypedIds() || !receiver.hasTypedIds()) {
      return text;
    }
    return switch (random.nextInt(4)) {
      case 0 -> Value.of("ulong", Integer.toString(random.nextInt(1000)));
      case 1 -> value("uuid", 0);
      case 2 -> sender == Client.JAVASCRIPT ? text : Value.of("binary", digits(9));
      default -> text;
    };
  }

  private String name() {
    return "name-" + random.nextInt(1000);
  }

  private String digits(int octets) {
    var bytes = new byte[octets];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** A map that is not empty, by names. */
  private Value section(String keys, String prefix, int depth) {
    var parts = new ArrayList<Value>();
    for (var i = random.nextInt(5); i >= 0; i--) {
      parts.add(Value.of(keys, prefix + "name" + i));
      parts.add(value(depth));
    }
    return Value.of("map", parts);
  }

  private void body(Map<String, Value> parts) {
    var many =
        sender.hasManySections() && sender != Client.JAVASCRIPT && receiver.hasManySections();
    var sections = new ArrayList<Value>();
    var count = many ? 1 + random.nextInt(3) : 1;
    switch (random.nextInt(3)) {
      case 0 -> {
        for (var i = 0; i < count; i++) {
          sections.add(Value.of("binary", digits(random.nextInt(400))));
        }
        parts.put("data", Value.of("list", sections));
      }
      case 1 -> {
        for (var i = 0; i < count; i++) {
          sections.add(Value.of("list", List.of(value(1), value(1))));
        }
        parts.put("sequence", Value.of("list", sections));
      }
      default -> parts.put("value", bodyValue());
    }
  }

  /** Python takes no types at the top of a body, and nothing that counts as false. */
  private Value bodyValue() {
    if (sender != Client.PYTHON) {
      var value = value(0);
      var isNothing = "null".equals(value.type());
      return isNothing ? Value.of("string", "instead of nothing") : value;
    }
    return switch (random.nextInt(4)) {
      case 0 -> Value.of("int", Integer.toString(1 + random.nextInt(1_000_000)));
      case 1 -> value("uuid", 0);
      case 2 -> Value.of("list", List.of(value(1), value(1)));
      default -> Value.of("string", name());
    };
  }

  /** From {@link #DEEPEST} on a simple one. */
  private Value value(int depth) {
    while (true) {
      var type = types.get(random.nextInt(types.size()));
      if (depth < DEEPEST || !COMPOUND.contains(type)) {
        return value(type, depth);
      }
    }
  }

  private Value value(String type, int depth) {
    return switch (type) {
      case "null" -> Value.of(type, "");
      case "boolean" -> Value.of(type, Boolean.toString(some(2)));
      case "float" -> Value.of(type, HexFormat.of().toHexDigits(Float.floatToRawIntBits(real())));
      case "double" ->
          Value.of(type, HexFormat.of().toHexDigits(Double.doubleToRawLongBits(wide())));
      case "char" -> Value.of(type, Integer.toString(some(2) ? 'a' : 0x6f22));
      case "timestamp" -> Value.of(type, Long.toString(random.nextLong(FAR)));
      case "uuid" -> Value.of(type, new UUID(random.nextLong(), random.nextLong()).toString());
      case "binary" -> Value.of(type, digits(some(3) ? 300 : random.nextInt(9)));
      case "string" -> Value.of(type, TEXTS[random.nextInt(TEXTS.length)]);
      case "symbol" -> Value.of(type, name());
      case "list" ->
          Value.of(type, some(4) ? List.of() : List.of(value(depth + 1), value(depth + 1)));
      case "map" -> some(4) ? Value.of(type, List.of()) : section("string", "", depth + 1);
      case "array" -> array();
      case "described" -> described();
      default -> OCTETS.containsKey(type) ? decimal(type) : integer(type);
    };
  }

  private float real() {
    return some(4) ? 0 : some(4) ? Float.POSITIVE_INFINITY : random.nextFloat() * 1000;
  }

  private double wide() {
    return some(4) ? -1 : some(4) ? Double.MAX_VALUE : random.nextDouble() * 1000;
  }

  private Value decimal(String type) {
    return Value.of(type, digits(OCTETS.getOrDefault(type, 0)));
  }

  private Value integer(String type) {
    var bits = BITS.getOrDefault(type, 0);
    var isUnsigned = type.startsWith("u");
    var least = isUnsigned ? BigInteger.ZERO : BigInteger.TWO.pow(bits - 1).negate();
    var range = BigInteger.TWO.pow(bits);
    var from =
        switch (random.nextInt(4)) {
          case 0 -> BigInteger.ZERO; // the least
          case 1 -> range.subtract(BigInteger.ONE); // the largest
          case 2 -> least.negate(); // zero
          default -> new BigInteger(bits, random);
        };
    return Value.of(type, least.add(from).toString());
  }

  private Value array() {
    var type = ELEMENTS.get(random.nextInt(ELEMENTS.size()));
    return Value.of("array", List.of(value(type, DEEPEST), value(type, DEEPEST)));
  }

  private Value described() {
    var name = Value.of("symbol", "com.example:" + name());
    return Value.of("described", List.of(name, Value.of("string", name())));
  }
}
