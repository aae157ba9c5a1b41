package io.peeklock.kernel.filter;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of LIKE: {@code %} is any run of characters, {@code _} any one of them, and the whole
 * text must match (S-352). It takes as many bytes as characters, so that keeping one costs as much
 * as its text.
 *
 * <p>A text is matched from left to right. On a mismatch only the last percent sign takes one more
 * character: everything before it is matched as early as possible, and later would not help. So the
 * time is at most text times pattern, and each character read is a step of the rule's allowance.
 */
final class LikePattern {
  static final int MAX_BYTES = 4_096;

  private static final int NONE = -1;

  // Bytes that no text contains stand for the signs that an escape leaves as wildcards.
  private static final byte OTHER_RUN = (byte) 0xff;
  private static final byte OTHER_ANY = (byte) 0xfe;

  private final byte[] signs;
  private final int from;
  private final int until;
  private final byte run;
  private final byte any;

  private LikePattern(byte[] signs, int from, int until, byte run, byte any) {
    this.signs = signs;
    this.from = from;
    this.until = until;
    this.run = run;
    this.any = any;
  }

  /**
   * Creates a pattern; the second text escapes signs of the first, if there is one.
   *
   * @param pattern its bytes must not change while the pattern is used
   */
  static LikePattern of(FilterValue pattern, @Nullable FilterValue escape) {
    requireText(pattern);
    if (escape != null) {
      requireEscape(escape);
    }
    if (pattern.length() > MAX_BYTES) {
      throw new EvaluationFailed("the pattern of LIKE is longer than " + MAX_BYTES + " bytes");
    }
    int from = pattern.offset();
    int until = from + pattern.length();
    return escape == null
        ? new LikePattern(pattern.bytes(), from, until, (byte) '%', (byte) '_')
        : unescaped(pattern.bytes(), from, until, escape.toBytes());
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

  private static LikePattern unescaped(byte[] pattern, int from, int until, byte[] escape) {
    var made = new byte[until - from];
    int length = 0;
    int at = from;
    while (at < until) {
      byte sign = pattern[at];
      if (sign == escape[0] && startsWith(pattern, at, until, escape)) {
        at += escape.length;
        if (at == until) {
          throw new EvaluationFailed("the pattern of LIKE ends with its escape character");
        }
        made[length++] = pattern[at];
      } else {
        made[length++] = sign == '%' ? OTHER_RUN : sign == '_' ? OTHER_ANY : sign;
      }
      at++;
    }
    return new LikePattern(made, 0, length, OTHER_RUN, OTHER_ANY);
  }

  private static boolean startsWith(byte[] pattern, int at, int until, byte[] escape) {
    return until - at >= escape.length
        && Arrays.equals(pattern, at, at + escape.length, escape, 0, escape.length);
  }

  /** The end of the character that begins at a place. */
  private static int characterEnd(byte[] text, int from, int end) {
    int at = from + 1;
    while (at < end && (text[at] & 0xc0) == 0x80) {
      at++;
    }
    return at;
  }

  private boolean isRun(int at) {
    return at < until && signs[at] == run;
  }

  /** How many signs from one on each take one byte of the text from a place on. */
  private int singles(int sign, byte[] text, int from, int end) {
    int most = Math.min(until - sign, end - from);
    int taken = 0;
    while (taken < most) {
      byte next = signs[sign + taken];
      byte there = text[from + taken];
      if (next == run || (next != there && !(next == any && isAscii(text, from + taken, end)))) {
        break;
      }
      taken++;
    }
    return taken;
  }

  /** Whether a one-byte character is here, not a part of a longer one. */
  private static boolean isAscii(byte[] text, int at, int end) {
    return text[at] >= 0 && (at + 1 == end || text[at + 1] >= 0);
  }

  /** Whether the whole text matches. */
  boolean matches(FilterValue text, Steps steps) {
    byte[] bytes = text.bytes();
    int end = text.offset() + text.length();
    int at = text.offset();
    int sign = from;
    int behindRun = NONE;
    int runEnd = NONE; // the end of what the last percent sign takes
    while (at < end) {
      int singles = singles(sign, bytes, at, end);
      steps.spend(singles + 1L);
      sign += singles;
      at += singles;
      if (at == end) {
        break;
      }
      if (isRun(sign)) {
        behindRun = ++sign;
        runEnd = at;
        if (sign == until) {
          return true;
        }
        continue;
      }
      if (sign < until && signs[sign] == any) {
        sign++;
        at = characterEnd(bytes, at, end);
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
