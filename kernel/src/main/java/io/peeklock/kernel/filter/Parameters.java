package io.peeklock.kernel.filter;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The typed values that come with a text (S-343); their names ignore case and a leading @. */
final class Parameters {
  private static final Map<String, FilterValue> NONE = Collections.unmodifiableMap(new TreeMap<>());

  private final Map<String, FilterValue> given;
  private final Map<String, FilterValue> byName = new TreeMap<>();

  Parameters(Map<String, FilterValue> given) {
    var copies = new TreeMap<String, FilterValue>();
    given.forEach((name, value) -> copies.put(name, value.copy()));
    this.given = copies.isEmpty() ? NONE : Collections.unmodifiableMap(copies);
    copies.forEach((name, value) -> byName.put(key(name), value));
  }

  private static String key(String name) {
    return Parser.folded(name.startsWith("@") ? name.substring(1) : name);
  }

  /** The parameters as given, for storing or showing the rule. */
  Map<String, FilterValue> given() {
    return given;
  }

  @Nullable FilterValue named(String name) {
    return byName.get(key(name));
  }
}
