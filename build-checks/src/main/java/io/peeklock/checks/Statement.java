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
record Statement(char kind, int number) implements Comparable<Statement> {

  private static final Pattern ID = Pattern.compile("([SIT])-(\\d{1,3})");
  private static final Comparator<Statement> ORDER =
      Comparator.comparingInt(Statement::kind).thenComparingInt(Statement::number);

  static boolean isId(String id) {
    return ID.matcher(id).matches();
  }

  /**
   * @throws IllegalArgumentException when it is not spelled like {@code S-029}, {@code I-05} or
   *     {@code T-69}
   */
  static Statement of(String id) {
    var match = ID.matcher(id);
    if (!match.matches()) {
      throw new IllegalArgumentException("not the id of a statement: " + id);
    }
    return new Statement(match.group(1).charAt(0), Integer.parseInt(match.group(2)));
  }

  @Override
  public int compareTo(Statement other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, kind == 'S' ? "S-%03d" : kind + "-%02d", number);
  }
}
