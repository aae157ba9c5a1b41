package io.peeklock.http.admin.rules;

import io.peeklock.http.admin.atom.XmlNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a client wrote in a filter or an action that means nothing to the broker, and is shown
 * again: a point in time without its zone, and whether the text is to be prepared. It is kept in
 * the attributes of the rule.
 *
 * @param part {@code Filter} or {@code Action}
 * @param attributes of the rule
 */
record Spelling(String part, Map<String, String> attributes) {
  static final String PREPROCESSING = "RequiresPreprocessing";

  static Spelling of(String part, Map<String, String> attributes) {
    return new Spelling(part, attributes);
  }

  /** Notes what is to be shown again of a filter or action, which was read and is one. */
  static void read(String part, @Nullable XmlNode given, Map<String, String> into) {
    if (given == null || given.nil()) {
      return;
    }
    var preprocessing = given.child(PREPROCESSING);
    if (preprocessing != null && given.type() != null && given.type().startsWith("Sql")) {
      into.put(part + "/" + PREPROCESSING, Boolean.toString(isTrue(preprocessing.value())));
    }
    for (var values : List.of("Parameters", "Properties")) {
      var all = given.child(values);
      for (var pair : all == null ? List.<XmlNode>of() : all.children()) {
        note(part, pair, into);
      }
    }
  }

  private static boolean isTrue(String text) {
    return text.equalsIgnoreCase("true") || text.equals("1");
  }

  private static void note(String part, XmlNode pair, Map<String, String> into) {
    var key = pair.child("Key");
    var value = pair.child("Value");
    var spelling = key == null || value == null ? null : TypedValue.spelling(value);
    if (key != null && spelling != null) {
      into.put(part + "//" + key.text(), spelling);
    }
  }

  /** How the value of a parameter or property was written; null for the usual form. */
  @Nullable String of(String key) {
    return attributes.get(part + "//" + key);
  }

  Optional<String> preprocessing() {
    return Optional.ofNullable(attributes.get(part + "/" + PREPROCESSING));
  }
}
