package io.peeklock.checks;

import java.util.Comparator;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The name of one thing that a test can prove.
 *
 * @param kind S a behaviour, I an invariant, T a trap of the wire
 * @param number from 1
 */
record RuleId(char kind, int number) implements Comparable<RuleId> {

  private static final Pattern ID = Pattern.compile("([SIT])-(\\d{1,3})");
  private static final Comparator<RuleId> ORDER =
      Comparator.comparingInt(RuleId::kind).thenComparingInt(RuleId::number);

  static boolean isId(String id) {
    return ID.matcher(id).matches();
  }

  /**
   * @throws IllegalArgumentException when it is not spelled like {@code S-029}, {@code I-05} or
   *     {@code T-69}
   */
  static RuleId of(String id) {
    var match = ID.matcher(id);
    if (!match.matches()) {
      throw new IllegalArgumentException("not the id of a rule: " + id);
    }
    return new RuleId(match.group(1).charAt(0), Integer.parseInt(match.group(2)));
  }

  @Override
  public int compareTo(RuleId other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, kind == 'S' ? "S-%03d" : kind + "-%02d", number);
  }
}
