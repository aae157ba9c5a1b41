package io.peeklock.kernel.filter;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** Selects the messages for which a condition holds, as in {@code color = 'red' AND size > 3}. */
public final class SqlFilter extends SqlExpression implements Filter {
  private final Expression.Predicate condition;
  private final long heapBytes;
  private final long sharedBytes;

  private SqlFilter(
      String text, Map<String, FilterValue> parameters, Expression.Predicate condition) {
    super(text, parameters);
    this.condition = condition;
    HeapSize size = HeapSize.of(text, parameters, condition);
    this.heapBytes = size.own();
    this.sharedBytes = size.shared();
  }

  /** Reads a filter without parameters. */
  public static Parsed<SqlFilter> parse(String text, FilterLimits limits) {
    return parse(text, Collections.unmodifiableMap(new TreeMap<>()), limits);
  }

  /**
   * Reads a filter.
   *
   * @param parameters values by name, with or without the leading @; copied
   */
  public static Parsed<SqlFilter> parse(
      String text, Map<String, FilterValue> parameters, FilterLimits limits) {
    return read(
        text,
        parameters,
        limits,
        false,
        (parser, given) -> new SqlFilter(text, given, parser.filter()));
  }

  /** The most heap in bytes that it takes, without what the rules of a topic share. */
  public long heapBytes() {
    return heapBytes;
  }

  /** The most bytes that it may add to {@link RuleTable#sharedBytes}. */
  public long sharedBytes() {
    return sharedBytes;
  }

  Expression.Predicate condition() {
    return condition;
  }
}
