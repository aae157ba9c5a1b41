package io.peeklock.kernel.state;

import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.entity.RuleWeight;
import io.peeklock.kernel.filter.CorrelationFilter;
import io.peeklock.kernel.filter.Filter;
import io.peeklock.kernel.filter.SqlFilter;

/** How many rules of each kind there are, so that many can be taken off at once. */
public final class RuleTally {

  private int rules;
  private int selectingAll;
  private int selective;
  private int sqlFilters;
  private int correlationFilters;
  private long weight;

  void add(Rule rule) {
    count(rule, 1);
  }

  void remove(Rule rule) {
    count(rule, -1);
  }

  private void count(Rule rule, int times) {
    Filter filter = rule.filter();
    rules += times;
    selectingAll += filter instanceof Filter.True ? times : 0;
    boolean plain = filter instanceof Filter.True || filter instanceof Filter.False;
    selective += !plain || rule.action() != null ? times : 0;
    sqlFilters += filter instanceof SqlFilter ? times : 0;
    correlationFilters += filter instanceof CorrelationFilter ? times : 0;
    weight += (long) times * RuleWeight.of(rule);
  }

  /** Takes off what another one counted. */
  void remove(RuleTally other) {
    rules -= other.rules;
    selectingAll -= other.selectingAll;
    selective -= other.selective;
    sqlFilters -= other.sqlFilters;
    correlationFilters -= other.correlationFilters;
    weight -= other.weight;
  }

  public int rules() {
    return rules;
  }

  /** Those that select every message, whatever becomes of the copy. */
  public int selectingAll() {
    return selectingAll;
  }

  /** Those that look at the message, or change it. */
  int selective() {
    return selective;
  }

  public int sqlFilters() {
    return sqlFilters;
  }

  public int correlationFilters() {
    return correlationFilters;
  }

  /** What all of them weigh, {@link RuleWeight#of}. */
  public long weight() {
    return weight;
  }
}
