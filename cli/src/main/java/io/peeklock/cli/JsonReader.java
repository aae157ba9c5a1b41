package io.peeklock.cli;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a JSON text: objects as maps, arrays as lists, whole numbers as Long or BigInteger, others
 * as Double.
 */
final class JsonReader {
  /** What nests deeper is no message of ours, and would take the stack. */
  private static final int MOST_LEVELS = 100;

  private final String text;
  private int at;
  private int levels;

  private JsonReader(String text) {
    this.text = text;
  }

  /**
   * Reads an object, which is all of the text.
   *
   * @throws IllegalArgumentException when it is none; the message says what is wrong, and where
   */
  static Map<String, @Nullable Object> object(String text) {
    var reader = new JsonReader(text);
    reader.blanks();
    if (!(reader.value() instanceof Map<?, ?> map)) {
      throw new IllegalArgumentException("it is no JSON object");
    }
    reader.blanks();
    if (reader.at < text.length()) {
      throw reader.wrong("something stands behind the object");
    }
    var fields = new LinkedHashMap<String, @Nullable Object>();
    map.forEach((key, value) -> fields.put(String.valueOf(key), value));
    return fields;
  }

  private @Nullable Object value() {
    if (++levels > MOST_LEVELS) {
      throw wrong("it nests too deeply");
    }
    var read =
        switch (peek()) {
          case '{' -> map();
          case '[' -> list();
          case '"' -> string();
          case 't' -> word("true", true);
          case 'f' -> word("false", false);
          case 'n' -> word("null", null);
          default -> number();
        };
    levels--;
    return read;
  }

  private Map<String, @Nullable Object> map() {
    var map = new LinkedHashMap<String, @Nullable Object>();
    at++;
    blanks();
    while (peek() != '}') {
      if (!map.isEmpty()) {
        expect(',');
      }
      var key = string();
      blanks();
      expect(':');
      if (map.put(key, value()) != null) {
        throw wrong("\"" + key + "\" is there twice");
      }
      blanks();
    }
    at++;
    return map;
  }

  private List<@Nullable Object> list() {
    var list = new ArrayList<@Nullable Object>();
    at++;
    blanks();
    while (peek() != ']') {
      if (!list.isEmpty()) {
        expect(',');
      }
      list.add(value());
      blanks();
    }
    at++;
    return list;
  }

  private void expect(char wanted) {
    if (peek() != wanted) {
      throw wrong("there should be a " + wanted);
    }
    at++;
    blanks();
  }

  private @Nullable Object word(String word, @Nullable Object value) {
    if (!text.startsWith(word, at)) {
      throw wrong("there is no value");
    }
    at += word.length();
    return value;
  }

  private Object number() {
    var from = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    var digits = text.substring(from, at);
    try {
      if (digits.chars().allMatch(c -> c == '-' || Character.isDigit(c))) {
        var whole = new BigInteger(digits);
        return whole.bitLength() < Long.SIZE ? (Object) whole.longValueExact() : whole;
      }
      return Double.valueOf(digits);
    } catch (NumberFormatException none) {
      at = from;
      throw wrong("there is no value");
    }
  }

  private String string() {
    if (peek() != '"') {
      throw wrong("there should be a text in quotes");
    }
    at++;
    var string = new StringBuilder();
    while (peek() != '"') {
      var c = text.charAt(at++);
      string.append(c == '\\' ? escaped() : c);
    }
    at++;
    return string.toString();
  }

  private char escaped() {
    var c = peek();
    at++;
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> unicode();
      default -> throw wrong("there is no escape \\" + c);
    };
  }

  private char unicode() {
    try {
      var code = Integer.parseInt(text, at, Math.min(at + 4, text.length()), 16);
      at += 4;
      return (char) code;
    } catch (NumberFormatException none) {
      throw wrong("behind \\u there are four digits");
    }
  }

  private void blanks() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private char peek() {
    if (at >= text.length()) {
      throw wrong("it ends too soon");
    }
    return text.charAt(at);
  }

  private IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException(what + " at character " + (at + 1));
  }
}
