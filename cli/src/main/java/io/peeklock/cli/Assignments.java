package io.peeklock.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Words of the form {@code Property=value}. */
final class Assignments {
  private Assignments() {}

  /**
   * Reads properties of a kind of entity.
   *
   * @return in the order in which the API likes them, as it spells them
   * @throws CliFailure when one is unknown: the API would pass over it
   */
  static Map<String, String> of(Noun noun, List<String> words) {
    var given = new LinkedHashMap<String, String>();
    for (var word : words) {
      var equals = word.indexOf('=');
      if (equals <= 0) {
        throw CliFailure.usage("\"" + word + "\" should read Property=value");
      }
      given.put(known(noun, word.substring(0, equals)), word.substring(equals + 1));
    }
    var ordered = new LinkedHashMap<String, String>();
    for (var name : noun.settable()) {
      if (given.containsKey(name)) {
        ordered.put(name, given.get(name));
      }
    }
    return ordered;
  }

  private static String known(Noun noun, String name) {
    for (var settable : noun.settable()) {
      if (settable.equalsIgnoreCase(name)) {
        return settable;
      }
    }
    throw CliFailure.usage(
        "a "
            + noun.word()
            + " has no property "
            + name
            + Nearest.hint(name, noun.settable())
            + "; there are "
            + String.join(", ", noun.settable()));
  }
}
