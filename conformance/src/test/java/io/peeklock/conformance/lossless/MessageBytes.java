package io.peeklock.conformance.lossless;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Messages as AMQP bytes, and back. */
final class MessageBytes {
  static final List<String> HEADER = List.of("durable", "priority", "ttl");

  static final List<String> PROPERTIES =
      List.of(
          "message-id",
          "user-id",
          "to",
          "subject",
          "reply-to",
          "correlation-id",
          "content-type",
          "content-encoding",
          "absolute-expiry-time",
          "creation-time",
          "group-id",
          "group-sequence",
          "reply-to-group-id");

  private static final List<String> SECTIONS =
      List.of(
          "header.",
          "delivery",
          "annotations",
          "properties.",
          "application",
          "data",
          "sequence",
          "value",
          "footer");

  private static final int FIRST = 0x70;
  private static final Value NULL = Value.of("null", "");

  private MessageBytes() {}

  static byte[] write(Description message) {
    var out = new ByteArrayOutputStream();
    for (var section : SECTIONS) {
      var code = FIRST + SECTIONS.indexOf(section);
      var value = message.parts().get(section);
      if (section.endsWith(".")) {
        writeFields(out, code, message, section);
      } else if (value != null) {
        var sections = code == 0x75 || code == 0x76 ? value.parts() : List.of(value);
        sections.forEach(
            each -> out.writeBytes(ValueWriter.section(code, ValueWriter.bytes(each))));
      }
    }
    return out.toByteArray();
  }

  private static void writeFields(
      ByteArrayOutputStream out, int code, Description message, String section) {
    var fields = new ArrayList<Value>();
    for (var name : code == FIRST ? HEADER : PROPERTIES) {
      fields.add(message.parts().getOrDefault(section + name, NULL));
    }
    while (!fields.isEmpty() && fields.getLast().equals(NULL)) {
      fields.removeLast();
    }
    if (!fields.isEmpty()) {
      out.writeBytes(ValueWriter.section(code, ValueWriter.bytes(Value.of("list", fields))));
    }
  }

  static Description read(byte[] bytes) {
    var parts = new TreeMap<String, Value>();
    var bodies = new ArrayList<Value>();
    for (var reader = new ValueReader(bytes); reader.more(); ) {
      var section = reader.read();
      var code = Integer.parseInt(section.parts().get(0).text());
      var value = section.parts().get(1);
      switch (code) {
        case 0x70 -> readFields(parts, "header.", HEADER, value);
        case 0x73 -> readFields(parts, "properties.", PROPERTIES, value);
        case 0x75, 0x76 -> {
          bodies.add(value);
          parts.put(SECTIONS.get(code - FIRST), Value.of("list", bodies));
        }
        default -> parts.put(SECTIONS.get(code - FIRST), value);
      }
    }
    return new Description(parts);
  }

  private static void readFields(
      Map<String, Value> parts, String section, List<String> names, Value list) {
    for (var i = 0; i < Math.min(names.size(), list.parts().size()); i++) {
      if (!list.parts().get(i).equals(NULL)) {
        parts.put(section + names.get(i), list.parts().get(i));
      }
    }
  }
}
