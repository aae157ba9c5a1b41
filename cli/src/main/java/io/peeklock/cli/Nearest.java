package io.peeklock.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** The word that somebody may have meant. */
final class Nearest {
  /** Letters of a word that is a beginning, not just any letter or two. */
  private static final int BEGIN = 3;

  /** One slip is always forgiven, and another one in so many letters. */
  private static final int EACH = 6;

  private Nearest() {}

  /** " (did you mean WORD?)" for the most similar of some words; empty where none is near. */
  static String hint(String typed, Collection<String> words) {
    return words.stream()
        .min(Comparator.comparingInt((String word) -> distance(typed, word)).thenComparing(w -> w))
        .filter(word -> distance(typed, word) <= 1 + typed.length() / EACH)
        .filter(word -> distance(typed, word) < typed.length())
        .map(word -> " (did you mean " + word + "?)")
        .orElse("");
  }

  /**
   * How many letters must be put in, taken away, changed, or exchanged with the next one; none
   * where a word begins with what was typed and that is half of it.
   */
  private static int distance(String typed, String word) {
    var from = typed.toLowerCase(Locale.ROOT);
    var to = word.toLowerCase(Locale.ROOT);
    if (from.length() >= BEGIN && to.startsWith(from)) {
      return 0;
    }
    var rows = new int[from.length() + 1][to.length() + 1];
    for (var i = 0; i <= from.length(); i++) {
      for (var j = 0; j <= to.length(); j++) {
        rows[i][j] = i == 0 || j == 0 ? i + j : step(rows, from, to, i, j);
      }
    }
    return rows[from.length()][to.length()];
  }

  private static int step(int[][] rows, String from, String to, int i, int j) {
    var same = from.charAt(i - 1) == to.charAt(j - 1);
    var least = rows[i - 1][j - 1] + (same ? 0 : 1);
    least = Math.min(least, Math.min(rows[i - 1][j], rows[i][j - 1]) + 1);
    var isExchanged =
        i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1);
    return isExchanged ? Math.min(least, rows[i - 2][j - 2] + 1) : least;
  }
}
