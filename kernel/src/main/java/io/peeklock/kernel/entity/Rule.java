package io.peeklock.kernel.entity;

import io.peeklock.kernel.filter.Filter;
import io.peeklock.kernel.filter.SqlAction;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A rule: which messages a subscription selects, and how the copy is changed (group Q).
 *
 * @param name unique in its subscription; case is ignored
 * @param action null for none; all matching rules without an action share one copy (S-318)
 * @param attributes what edges keep with it and nobody reads who selects messages, such as how a
 *     value was written; sorted by name
 */
public record Rule(
    String name,
    Filter filter,
    @Nullable SqlAction action,
    long createdAtMillis,
    Map<String, String> attributes) {

  /** The name of the rule that a subscription begins with (S-313). */
  public static final String DEFAULT_NAME = "$Default";

  /** The longest name (S-059). */
  public static final int MAX_NAME = 50;

  /**
   * Creates a rule.
   *
   * @throws IllegalArgumentException when the name is empty or longer than {@link #MAX_NAME}
   */
  public Rule {
    if (name.isEmpty() || name.length() > MAX_NAME) {
      throw new IllegalArgumentException(
          "a rule's name has from 1 to " + MAX_NAME + " characters, got " + name.length());
    }
    attributes =
        attributes.isEmpty()
            ? Collections.emptyMap() // there may be a hundred thousand rules
            : Collections.unmodifiableMap(new TreeMap<>(attributes));
  }

  /** A rule without attributes. */
  public Rule(String name, Filter filter, @Nullable SqlAction action, long createdAtMillis) {
    this(name, filter, action, createdAtMillis, Collections.emptyMap());
  }

  /** The same under a name, made at this time. */
  public Rule as(String newName, long nowMillis) {
    return new Rule(newName, filter, action, nowMillis, attributes);
  }

  /** The rule that a subscription begins with when it is given none (S-313). */
  public static Rule selectingAll(long createdAtMillis) {
    return new Rule(DEFAULT_NAME, new Filter.True(), null, createdAtMillis);
  }

  /** The name in the form that is unique in a subscription. */
  public String key() {
    return name.toLowerCase(Locale.ROOT);
  }
}
