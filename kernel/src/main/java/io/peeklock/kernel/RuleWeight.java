package io.peeklock.kernel;

import io.peeklock.kernel.filter.CorrelationFilter;
import io.peeklock.kernel.filter.Filter;
import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.SqlAction;
import io.peeklock.kernel.filter.SqlFilter;
import java.util.Map;

/**
 * How much a rule says, in characters of its texts and bytes of its values. The cloud bounds the
 * texts alone (S-365). Here it is bounded in every profile, for who may add rules must not fill the
 * memory with them; asked when a rule is made, never about one that is there.
 */
public final class RuleWeight {
  /** The most of one rule: its filter and its action may have the longest text there is. */
  public static final int MOST = 3 * 65_536;

  /** The most of all rules of a topic: 160 for each of 100,000 correlation filters (S-365). */
  public static final int MOST_OF_TOPIC = 16_000_000;

  /** How many rules a topic may have, whatever they select. */
  public static final int MOST_RULES = 110_000;

  /** What a value weighs beside its bytes. */
  private static final int VALUE = 16;

  private RuleWeight() {}

  /** Of one rule, its name included; from 1. */
  public static int of(Rule rule) {
    SqlAction action = rule.action();
    long weight = rule.name().length() + of(rule.filter());
    weight += action == null ? 0 : action.text().length() + of(action.parameters());
    return (int) Math.min(Integer.MAX_VALUE, weight);
  }

  private static long of(Filter filter) {
    return switch (filter) {
      case Filter.True all -> 0;
      case Filter.False none -> 0;
      case SqlFilter sql -> sql.text().length() + of(sql.parameters());
      case CorrelationFilter correlation -> {
        long weight = of(correlation.user());
        for (String text : correlation.system().values()) {
          weight += text.length();
        }
        yield weight;
      }
    };
  }

  private static long of(Map<String, FilterValue> values) {
    long weight = 0;
    for (Map.Entry<String, FilterValue> entry : values.entrySet()) {
      weight += entry.getKey().length() + VALUE + entry.getValue().length();
    }
    return weight;
  }
}
