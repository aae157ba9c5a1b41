package io.peeklock.server.config;

import io.peeklock.kernel.Rule;
import io.peeklock.kernel.filter.Filter;
import io.peeklock.kernel.filter.Parsed;
import io.peeklock.kernel.filter.SqlAction;
import io.peeklock.kernel.filter.SqlFilter;
import org.jspecify.annotations.Nullable;

/**
 * A rule of a subscription that an operator asks for.
 *
 * @param filter an SQL expression; null for the filter that selects everything
 * @param action SQL statements; null for none
 * @param where what errors begin with
 */
record RuleWish(String name, @Nullable String filter, @Nullable String action, String where) {

  Rule judged(Profile profile) {
    if (name.isEmpty() || name.length() > Rule.MAX_NAME) {
      throw wrong("its name has from 1 to " + Rule.MAX_NAME + " characters");
    }
    var limits = profile.filterLimits();
    return new Rule(
        name,
        filter == null ? new Filter.True() : done(SqlFilter.parse(filter, limits), "filter"),
        action == null ? null : done(SqlAction.parse(action, limits), "action"),
        0);
  }

  private <T> T done(Parsed<T> parsed, String what) {
    return switch (parsed) {
      case Parsed.Done<T> done -> done.value();
      case Parsed.Wrong<T> no -> throw wrong("its " + what + " is wrong: " + no.problem());
    };
  }

  private ConfigurationException wrong(String reason) {
    return new ConfigurationException(where + "rule " + name + ": " + reason);
  }
}
