package io.peeklock.kernel.entity;

import org.jspecify.annotations.Nullable;

/**
 * A page of the rules of a subscription. Its cost depends on the size of the page, not on the
 * number of rules.
 *
 * @param byName in order of their names, case ignored; else as they were added
 * @param from the page begins with the first rule of this name or a later one, whether or not the
 *     name exists; null for the beginning; only by name
 * @param skip how many rules from there to skip
 * @param most the most rules of the page
 */
public record RulePage(boolean byName, @Nullable String from, int skip, int most) {

  /**
   * Creates a page.
   *
   * @throws IllegalArgumentException when a number is negative, or for a name when the order is not
   *     by name
   */
  public RulePage {
    if (skip < 0 || most < 0 || (from != null && !byName)) {
      throw new IllegalArgumentException("no page of rules: " + skip + ", " + most + ", " + from);
    }
  }

  /** All rules, in the order in which they were added. */
  public static RulePage all() {
    return added(0, Integer.MAX_VALUE);
  }

  /** A page in the order in which rules were added (S-324). */
  public static RulePage added(int skip, int most) {
    return new RulePage(false, null, skip, most);
  }

  /** A page in the order of names. */
  public static RulePage named(int skip, int most) {
    return new RulePage(true, null, skip, most);
  }

  /** The rule of a name if it exists; else the next one, or none. */
  public static RulePage of(String name) {
    return new RulePage(true, name, 0, 1);
  }
}
