package io.peeklock.server.config;

import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.filter.CorrelationFilter;
import io.peeklock.kernel.filter.Filter;
import io.peeklock.kernel.filter.FilterLimits;
import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.Parsed;
import io.peeklock.kernel.filter.SqlAction;
import io.peeklock.kernel.filter.SqlFilter;
import io.peeklock.kernel.filter.SystemProperty;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A rule of a subscription that an operator asks for.
 *
 * @param filter an SQL expression; null when there is a correlation filter, or none at all, which
 *     selects everything
 * @param correlation null for none
 * @param action SQL statements; null for none
 * @param where what errors begin with
 */
record RuleConfig(
    String name,
    @Nullable String filter,
    @Nullable Correlation correlation,
    @Nullable String action,
    String where) {

  /** Properties that a message must have, at least one of either kind. */
  record Correlation(Map<SystemProperty, String> system, Map<String, FilterValue> custom) {}

  RuleConfig(String name, @Nullable String filter, @Nullable String action, String where) {
    this(name, filter, null, action, where);
  }

  Rule judged(Profile profile) {
    if (name.isEmpty() || name.length() > Rule.MAX_NAME) {
      throw wrong("its name has from 1 to " + Rule.MAX_NAME + " characters");
    }
    var limits = profile.filterLimits();
    return new Rule(
        name,
        filter(limits),
        action == null ? null : done(SqlAction.parse(action, limits), "action"),
        0);
  }

  private Filter filter(FilterLimits limits) {
    if (correlation != null) {
      return done(CorrelationFilter.of(correlation.system(), correlation.custom()), "filter");
    }
    return filter == null ? new Filter.True() : done(SqlFilter.parse(filter, limits), "filter");
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
