package io.peeklock.kernel.filter;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Selects the messages for which a condition holds, as in {@code color = 'red' AND size > 3}. */
public final class SqlFilter implements Filter {
  private final String text;
  private final Map<String, FilterValue> parameters;
  private final Expression.Predicate condition;
  private final long heapBytes;
  private final long sharedBytes;

  private SqlFilter(
      String text, Map<String, FilterValue> parameters, Expression.Predicate condition) {
    this.text = text;
    this.parameters = parameters;
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
    var given = new Parameters(parameters);
    try {
      var condition = new Parser(text, false, given, limits).filter();
      return new Parsed.Done<>(new SqlFilter(text, given.given(), condition));
    } catch (Refused refused) {
      return new Parsed.Wrong<>(refused.in(text));
    }
  }

  /** The text as it was given. */
  public String text() {
    return text;
  }

  /** The parameters as they were given; the values must not be changed. */
  public Map<String, FilterValue> parameters() {
    return parameters;
  }

  /** What it takes of the heap at most, beside what rules of a topic share. */
  public long heapBytes() {
    return heapBytes;
  }

  /** What it may add at most to what the rules of a topic share, {@link RuleTable#sharedBytes}. */
  public long sharedBytes() {
    return sharedBytes;
  }

  Expression.Predicate condition() {
    return condition;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SqlFilter that
        && text.equals(that.text)
        && parameters().equals(that.parameters());
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
