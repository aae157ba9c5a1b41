package io.peeklock.kernel.filter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of LIKE, made ready once: {@code %} is any run of characters, {@code _} any one of
 * them, and the whole text must match (S-352).
 *
 * <p>The pattern falls into runs between its percent signs. The first and the last run stand at the
 * text's ends; each run between is looked for from where the one before it ended, by {@link
 * PatternRun}. Nothing is ever tried twice, so the time is that of one pass over the text.
 */
final class LikePattern {
  static final int MAX_BYTES = 4_096;

  private final PatternRun first;
  private final @Nullable PatternRun last;
  private final PatternRun[] between;

  private LikePattern(List<PatternRun> runs) {
    this.first = runs.getFirst();
    this.last = runs.size() == 1 ? null : runs.getLast();
    this.between =
        runs.size() <= 2
            ? new PatternRun[0]
            : runs.subList(1, runs.size() - 1).stream()
                .filter(run -> run.length() > 0)
                .toArray(PatternRun[]::new);
  }

  /** Makes a pattern of two texts; the second escapes the signs of the first, if there is one. */
  static LikePattern of(FilterValue pattern, @Nullable FilterValue escape) {
    requireText(pattern);
    if (escape != null) {
      requireEscape(escape);
    }
    if (pattern.length() > MAX_BYTES) {
      throw new EvaluationFailed("the pattern of LIKE is longer than " + MAX_BYTES + " bytes");
    }
    return new LikePattern(runs(pattern.toBytes(), escape == null ? null : escape.toBytes()));
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

  private static List<PatternRun> runs(byte[] pattern, byte @Nullable [] escape) {
    var runs = new ArrayList<PatternRun>();
    var elements = new int[pattern.length];
    int count = 0;
    for (int i = 0; i < pattern.length; ) {
      if (escape != null && startsWith(pattern, i, escape)) {
        i += escape.length;
        if (i == pattern.length) {
          throw new EvaluationFailed("the pattern of LIKE ends with its escape character");
        }
      } else if (pattern[i] == '%') {
        runs.add(new PatternRun(Arrays.copyOf(elements, count)));
        count = 0;
        i++;
        continue;
      } else if (pattern[i] == '_') {
        elements[count++] = PatternRun.ANY;
        i++;
        continue;
      }
      for (int end = characterEnd(pattern, i, pattern.length); i < end; i++) {
        elements[count++] = pattern[i] & 0xff;
      }
    }
    runs.add(new PatternRun(Arrays.copyOf(elements, count)));
    return runs;
  }

  private static boolean startsWith(byte[] text, int from, byte[] prefix) {
    return text.length - from >= prefix.length
        && Arrays.equals(text, from, from + prefix.length, prefix, 0, prefix.length);
  }

  /** Where the character that begins at a place ends. */
  static int characterEnd(byte[] text, int from, int end) {
    int at = from + 1;
    while (at < end && isContinuation(text[at])) {
      at++;
    }
    return at;
  }

  /** Whether a byte goes on with a character that began before it. */
  static boolean isContinuation(byte one) {
    return (one & 0xc0) == 0x80;
  }

  /** Whether the whole text matches. */
  boolean matches(FilterValue text) {
    byte[] bytes = text.bytes();
    int end = text.offset() + text.length();
    int at = first.endAt(bytes, text.offset(), end);
    if (last == null || at < 0) {
      return at == end;
    }
    int lastStart = last.startBefore(bytes, at, end);
    for (int i = 0; i < between.length && at >= 0 && lastStart >= 0; i++) {
      at = between[i].find(bytes, at, lastStart);
    }
    return at >= 0 && lastStart >= 0;
  }
}
