package io.peeklock.simulator.client;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Application properties as text, and back: {@code name, type, value}, each followed by a mark. A
 * null stands for one that is taken away.
 */
final class PropertyText {
  static final char END = '\u0001';
  private static final char PART = '\u0002';

  private PropertyText() {}

  static String of(Map<String, ? extends @Nullable Object> properties) {
    var text = new StringBuilder();
    for (var entry : new TreeMap<>(properties).entrySet()) {
      var value = entry.getValue();
      var type =
          switch (value) {
            case null -> 'n';
            case Long ignored -> 'l';
            case Boolean ignored -> 'b';
            default -> 's';
          };
      text.append(entry.getKey()).append(PART).append(type).append(PART).append(value).append(END);
    }
    return text.toString();
  }

  static Map<String, @Nullable Object> parse(String text) {
    var properties = new TreeMap<String, @Nullable Object>();
    var at = 0;
    while (at < text.length()) {
      var end = text.indexOf(END, at);
      var type = text.indexOf(PART, at);
      var value = text.substring(type + 3, end);
      properties.put(
          text.substring(at, type),
          switch (text.charAt(type + 1)) {
            case 'n' -> null;
            case 'l' -> Long.valueOf(value);
            case 'b' -> Boolean.valueOf(value);
            default -> value;
          });
      at = end + 1;
    }
    return properties;
  }

  static byte[] bytes(Map<String, ? extends @Nullable Object> properties) {
    return of(properties).getBytes(StandardCharsets.UTF_8);
  }

  static Map<String, @Nullable Object> parse(byte[] bytes) {
    return parse(new String(bytes, StandardCharsets.UTF_8));
  }
}
