package io.peeklock.cli;

import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Objects as one line of JSON. */
final class Json {
  private Json() {}

  /** Maps, lists, numbers and truths as such; all else as its text. */
  static String of(Map<String, ? extends @Nullable Object> fields) {
    var text = new StringBuilder();
    append(text, fields);
    return text.toString();
  }

  /** A single value as people read it: a text without quotes. */
  static String text(Object value) {
    return value instanceof Date date ? date.toInstant().toString() : value.toString();
  }

  private static void append(StringBuilder text, @Nullable Object value) {
    if (value == null || value instanceof Boolean || isNumber(value)) {
      text.append(value);
    } else if (value instanceof Map<?, ?> map) {
      appendObject(text, map);
    } else if (value instanceof List<?> list) {
      appendList(text, list);
    } else if (value instanceof Date date) {
      appendText(text, date.toInstant());
    } else {
      appendText(text, value);
    }
  }

  /** Whether JSON can hold it as a number: it has no NaN and no infinity. */
  private static boolean isNumber(Object value) {
    return value instanceof Number number && Double.isFinite(number.doubleValue());
  }

  private static void appendObject(StringBuilder text, Map<?, ?> map) {
    text.append('{');
    var first = true;
    for (var entry : map.entrySet()) {
      if (!first) {
        text.append(',');
      }
      first = false;
      appendText(text, String.valueOf(entry.getKey()));
      text.append(':');
      append(text, entry.getValue());
    }
    text.append('}');
  }

  private static void appendList(StringBuilder text, List<?> list) {
    text.append('[');
    for (var i = 0; i < list.size(); i++) {
      text.append(i == 0 ? "" : ",");
      append(text, list.get(i));
    }
    text.append(']');
  }

  private static void appendText(StringBuilder text, Object value) {
    var plain = value.toString();
    text.append('"');
    for (var i = 0; i < plain.length(); i++) {
      var c = plain.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c == '\n') {
        text.append("\\n");
      } else if (Character.isISOControl(c)) {
        text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }
}
