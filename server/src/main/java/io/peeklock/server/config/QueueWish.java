package io.peeklock.server.config;

import io.peeklock.kernel.QueueDefinition;
import java.util.ArrayList;
import java.util.List;

/**
 * A queue that an operator asks for; judged once the profile is known.
 *
 * @param where what errors begin with, such as a file and line; may be empty
 */
record QueueWish(String name, List<Property> properties, String where) {

  /** One property as it was written. */
  record Property(String name, String value, String where) {}

  /** Reads {@code NAME[,Property=value…]}. */
  static QueueWish ofOption(String option) {
    var parts = option.split(",", -1);
    var properties = new ArrayList<Property>();
    for (var i = 1; i < parts.length; i++) {
      var equals = parts[i].indexOf('=');
      if (equals < 0) {
        throw new ConfigurationException(
            "queue "
                + parts[0]
                + ": \""
                + parts[i]
                + "\" should read Property=value, as in --queue orders,LockDuration=PT30S");
      }
      properties.add(
          new Property(parts[i].substring(0, equals), parts[i].substring(equals + 1), ""));
    }
    return new QueueWish(parts[0], properties, "");
  }

  QueueDefinition under(Profile profile) {
    var at = where;
    try {
      var draft = new QueueDraft(profile, name);
      for (var property : properties) {
        at = property.where();
        draft.set(property.name(), property.value());
      }
      return draft.done();
    } catch (ConfigurationException wrong) {
      throw new ConfigurationException(at + wrong.getMessage());
    }
  }
}
