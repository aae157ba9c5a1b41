package io.peeklock.kernel.state;

import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.entity.RuleWeight;
import io.peeklock.kernel.filter.CorrelationFilter;
import io.peeklock.kernel.filter.Filter;
import io.peeklock.kernel.filter.SqlFilter;

/** The number of rules of each kind, which can be subtracted as a whole. */
public final class RuleTally {

  private int rules;
  private int selectingAll;
  private int selective;
  private int changing;
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
    changing += filter instanceof SqlFilter || rule.action() != null ? times : 0;
    sqlFilters += filter instanceof SqlFilter ? times : 0;
    correlationFilters += filter instanceof CorrelationFilter ? times : 0;
    weight += (long) times * RuleWeight.of(rule);
  }

  /** Subtracts another tally. */
  void remove(RuleTally other) {
    rules -= other.rules;
    selectingAll -= other.selectingAll;
    selective -= other.selective;
    changing -= other.changing;
    sqlFilters -= other.sqlFilters;
    correlationFilters -= other.correlationFilters;
    weight -= other.weight;
  }

  public int rules() {
    return rules;
  }

  /** The rules that select every message, with or without an action. */
  public int selectingAll() {
    return selectingAll;
  }

  /** The rules that read the message, or change it. */
  int selective() {
    return selective;
  }

  /**
   * The rules that may make copies with properties of their own: an action does, and an SQL filter
   * that fails.
   */
  int changing() {
    return changing;
  }

  public int sqlFilters() {
    return sqlFilters;
  }

  public int correlationFilters() {
    return correlationFilters;
  }

  /** The weight of all rules, {@link RuleWeight#of}. */
  public long weight() {
    return weight;
  }
}
