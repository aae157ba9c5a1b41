package io.peeklock.http.messages;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The value of a header as a text. */
final class HeaderText {
  private HeaderText() {}

  /**
   * What was meant: each character of the value is a byte of the wire, and these are UTF-8, or
   * Latin-1 where they cannot be.
   */
  static String meant(String value) {
    if (value.chars().allMatch(c -> c < 0x80)) {
      return value;
    }
    if (value.chars().anyMatch(c -> c > 0xff)) {
      return value;
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(value.getBytes(StandardCharsets.ISO_8859_1)))
          .toString();
    } catch (CharacterCodingException latin) {
      return value;
    }
  }

  /** Whether it can be a header's value as it is. */
  static boolean isPlain(String text) {
    return text.chars().allMatch(c -> c >= ' ' && c < 0x7f);
  }

  /**
   * As part of a quoted value: ASCII only, with a backslash before quotes and backslashes, and what
   * is no printable ASCII by its code.
   */
  static String escaped(String text) {
    var out = new StringBuilder(text.length() + 8);
    for (var i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c >= ' ' && c < 0x7f) {
        out.append(c);
      } else {
        out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      }
    }
    return out.toString();
  }

  /**
   * Undoes {@link #escaped}. Another backslash stands for itself: old clients escape quotes only.
   */
  static String unescaped(String text) {
    if (text.indexOf('\\') < 0) {
      return text;
    }
    var out = new StringBuilder(text.length());
    for (var i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      var next = i + 1 < text.length() ? text.charAt(i + 1) : ' ';
      if (c == '\\' && (next == '"' || next == '\\')) {
        out.append(next);
        i++;
      } else if (c == '\\' && next == 'u' && codeAt(text, i + 2) >= 0) {
        out.append((char) codeAt(text, i + 2));
        i += 5;
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }

  /** The code that four digits say; -1 when they are none. */
  private static int codeAt(String text, int at) {
    if (at + 4 > text.length()) {
      return -1;
    }
    var code = 0;
    for (var i = at; i < at + 4; i++) {
      var digit = Character.digit(text.charAt(i), 16);
      if (digit < 0 || text.charAt(i) > 'f') {
        return -1;
      }
      code = code << 4 | digit;
    }
    return code;
  }
}
