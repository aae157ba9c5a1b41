package io.peeklock.junit;

import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.filter.Filter;
import io.peeklock.kernel.filter.FilterLimits;
import io.peeklock.kernel.filter.Parsed;
import io.peeklock.kernel.filter.SqlFilter;
import io.peeklock.runtime.naming.EntityNames;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Properties of a subscription; without a rule it selects all messages. */
public final class SubscriptionOptions extends ReceivingOptions<SubscriptionOptions> {
  private final List<Rule> rules = new ArrayList<>();

  SubscriptionOptions(String topic, String name) {
    super(EntityNames.subscription(topic, name));
    definition.role(new QueueRole.Subscription(topic, true));
  }

  @Override
  SubscriptionOptions self() {
    return this;
  }

  /**
   * Selects messages by an SQL filter, beside those that other filters select.
   *
   * @param name of the rule
   * @param filter such as {@code price > 100 AND sys.Label = 'book'}
   * @throws IllegalArgumentException when it is no filter; the text says why
   */
  public SubscriptionOptions filter(String name, String filter) {
    Parsed<? extends Filter> parsed = SqlFilter.parse(filter, FilterLimits.CEILING);
    switch (parsed) {
      case Parsed.Done<? extends Filter> done -> rules.add(new Rule(name, done.value(), null, 0));
      case Parsed.Wrong<? extends Filter> no ->
          throw new IllegalArgumentException("\"" + filter + "\" is no filter: " + no.problem());
    }
    return this;
  }

  @Nullable List<Rule> rules() {
    return rules.isEmpty() ? null : List.copyOf(rules);
  }
}
