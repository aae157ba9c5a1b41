package io.peeklock.kernel.filter;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of LIKE: {@code %} is any run of characters, {@code _} any one of them, and the whole
 * text must match (S-352). It stays as it is written, so that keeping one costs what its text does.
 *
 * <p>A text is read from left to right. Where it does not go on, only the last percent sign takes
 * one character more: what stands before that is matched as early as it can be, and later would not
 * help. So the time is at most that of text times pattern, and each look at a character is a step
 * of what the rule has.
 */
final class LikePattern {
  static final int MAX_BYTES = 4_096;

  private static final int NONE = -1;

  private final byte[] signs;
  private final int from;
  private final int until;
  private final byte @Nullable [] escape;

  private LikePattern(FilterValue pattern, byte @Nullable [] escape) {
    this.signs = pattern.bytes();
    this.from = pattern.offset();
    this.until = pattern.offset() + pattern.length();
    this.escape = escape;
  }

  /**
   * Makes a pattern of two texts; the second escapes the signs of the first, if there is one.
   *
   * @param pattern its bytes must stay as they are as long as the pattern is used
   */
  static LikePattern of(FilterValue pattern, @Nullable FilterValue escape) {
    requireText(pattern);
    if (escape != null) {
      requireEscape(escape);
    }
    if (pattern.length() > MAX_BYTES) {
      throw new EvaluationFailed("the pattern of LIKE is longer than " + MAX_BYTES + " bytes");
    }
    var made = new LikePattern(pattern, escape == null ? null : escape.toBytes());
    made.requireEnd();
    return made;
  }

  static void requireText(FilterValue value) {
    if (value.type() != ValueType.TEXT) {
      throw new EvaluationFailed("LIKE compares texts, and a value of type " + value.type());
    }
  }

  static void requireEscape(FilterValue escape) {
    requireText(escape);
    if (escape.length() == 0
        || characterEnd(escape.bytes(), escape.offset(), escape.offset() + escape.length())
            != escape.offset() + escape.length()) {
      throw new EvaluationFailed("the escape of LIKE is one character");
    }
  }

  private void requireEnd() {
    int at = from;
    while (escape != null && at < until) {
      int literal = literalAt(at);
      if (literal == until) {
        throw new EvaluationFailed("the pattern of LIKE ends with its escape character");
      }
      at = literal + 1;
    }
  }

  /** Where the character that begins at a place ends. */
  private static int characterEnd(byte[] text, int from, int end) {
    int at = from + 1;
    while (at < end && (text[at] & 0xc0) == 0x80) {
      at++;
    }
    return at;
  }

  /** Where the byte lies that stands for itself, or for a sign, here: behind an escape. */
  private int literalAt(int at) {
    byte[] sign = escape;
    return sign != null
            && until - at >= sign.length
            && Arrays.equals(signs, at, at + sign.length, sign, 0, sign.length)
        ? at + sign.length
        : at;
  }

  private boolean isRun(int at) {
    return at < until && signs[at] == '%' && literalAt(at) == at;
  }

  /** Whether the whole text matches. */
  boolean matches(FilterValue text, Steps steps) {
    byte[] bytes = text.bytes();
    int end = text.offset() + text.length();
    int at = text.offset();
    int sign = from;
    int behindRun = NONE;
    int runEnd = NONE; // what the last percent sign takes ends before it
    while (at < end) {
      steps.spend(1);
      if (isRun(sign)) {
        behindRun = ++sign;
        runEnd = at;
        if (sign == until) {
          return true;
        }
        continue;
      }
      int literal = sign < until ? literalAt(sign) : NONE;
      if (literal == sign && signs[sign] == '_') {
        sign++;
        at = characterEnd(bytes, at, end);
      } else if (literal != NONE && signs[literal] == bytes[at]) {
        sign = literal + 1;
        at++;
      } else if (behindRun == NONE) {
        return false;
      } else {
        sign = behindRun;
        runEnd = characterEnd(bytes, runEnd, end);
        at = runEnd;
      }
    }
    while (isRun(sign)) {
      sign++;
    }
    return sign == until;
  }
}
