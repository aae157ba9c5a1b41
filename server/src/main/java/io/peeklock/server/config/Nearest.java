package io.peeklock.server.config;

import java.util.Collection;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds what somebody may have meant. */
final class Nearest {
  private static final Pattern SEPARATORS = Pattern.compile("[-_ .]");

  private Nearest() {}

  /**
   * The question to append to an error.
   *
   * @return " (did you mean X?)", or the empty text when nothing is near
   */
  static String hint(String typed, Collection<String> known) {
    var best = within(Math.max(2, typed.length() / 3), typed, known);
    return best == null ? "" : " (did you mean " + best + "?)";
  }

  /** The word that somebody can only have meant; null when nothing is as near as that. */
  static @Nullable String miss(String typed, Collection<String> known) {
    var bare = SEPARATORS.matcher(typed).replaceAll("");
    return within(Math.min(2, bare.length() / 4), bare, known);
  }

  private static @Nullable String within(int most, String typed, Collection<String> known) {
    String best = null;
    var bestDistance = most + 1;
    for (var candidate : known) {
      var distance = distance(typed, candidate);
      if (distance < bestDistance) {
        bestDistance = distance;
        best = candidate;
      }
    }
    return best;
  }

  /** How many letters must be changed, added or dropped, whatever their case. */
  static int distance(String one, String other) {
    var from = one.toLowerCase(Locale.ROOT);
    var to = other.toLowerCase(Locale.ROOT);
    var row = new int[to.length() + 1];
    for (var j = 0; j <= to.length(); j++) {
      row[j] = j;
    }
    for (var i = 1; i <= from.length(); i++) {
      var diagonal = row[0];
      row[0] = i;
      for (var j = 1; j <= to.length(); j++) {
        var replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[to.length()];
  }
}
