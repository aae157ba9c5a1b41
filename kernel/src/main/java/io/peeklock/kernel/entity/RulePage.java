package io.peeklock.kernel.entity;

import org.jspecify.annotations.Nullable;

/**
 * Some rules of a subscription, one behind the other. Asking for a page costs what it has, however
 * many rules there are.
 *
 * @param byName in order of their names, case ignored; else as they were added
 * @param from the name, which need not be there, that comes before all of the page or is its first;
 *     null for the beginning; only by name
 * @param skip how many from there on are left out
 * @param most how many there are at most
 */
public record RulePage(boolean byName, @Nullable String from, int skip, int most) {

  /** Refuses numbers below 0, and a name where names are not in order. */
  public RulePage {
    if (skip < 0 || most < 0 || (from != null && !byName)) {
      throw new IllegalArgumentException("no page of rules: " + skip + ", " + most + ", " + from);
    }
  }

  /** All of them, in order of addition. */
  public static RulePage all() {
    return added(0, Integer.MAX_VALUE);
  }

  /** As they were added (S-324). */
  public static RulePage added(int skip, int most) {
    return new RulePage(false, null, skip, most);
  }

  /** In order of their names. */
  public static RulePage named(int skip, int most) {
    return new RulePage(true, null, skip, most);
  }

  /** The one rule of a name, if there is one; else the next one, or none. */
  public static RulePage of(String name) {
    return new RulePage(true, name, 0, 1);
  }
}
