package io.peeklock.kernel.entity;

import io.peeklock.kernel.filter.Filter;
import io.peeklock.kernel.filter.SqlAction;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which messages a subscription selects, and what becomes of the copy (group Q).
 *
 * @param name unique in its subscription; case is ignored
 * @param action null for none: its copy is the one that all rules without action share (S-318)
 */
public record Rule(String name, Filter filter, @Nullable SqlAction action, long createdAtMillis) {

  /** The name of the rule that a subscription begins with (S-313). */
  public static final String DEFAULT_NAME = "$Default";

  /** The longest name (S-059). */
  public static final int MAX_NAME = 50;

  /** Refuses names that are too long or empty. */
  public Rule {
    if (name.isEmpty() || name.length() > MAX_NAME) {
      throw new IllegalArgumentException(
          "a rule's name has from 1 to " + MAX_NAME + " characters, got " + name.length());
    }
  }

  /** The rule that a subscription begins with when it is given none (S-313). */
  public static Rule selectingAll(long createdAtMillis) {
    return new Rule(DEFAULT_NAME, new Filter.True(), null, createdAtMillis);
  }

  /** Two rules of a subscription have different keys. */
  public String key() {
    return name.toLowerCase(Locale.ROOT);
  }
}
