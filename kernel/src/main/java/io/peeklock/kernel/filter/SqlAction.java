package io.peeklock.kernel.filter;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Changes the copy of a message, as in {@code SET priority = 'low'; REMOVE owner} (S-358). */
public final class SqlAction {
  private final String text;
  private final Map<String, FilterValue> parameters;
  private final List<Statement> statements;
  private final long heapBytes;

  private SqlAction(String text, Map<String, FilterValue> parameters, List<Statement> statements) {
    this.text = text;
    this.parameters = parameters;
    this.statements = statements;
    HeapSize size = HeapSize.of(text, parameters, statements);
    this.heapBytes = size.own() + size.shared();
  }

  /** Reads an action without parameters. */
  public static Parsed<SqlAction> parse(String text, FilterLimits limits) {
    return parse(text, Collections.unmodifiableMap(new TreeMap<>()), limits);
  }

  /**
   * Reads an action.
   *
   * @param parameters values by name, with or without the leading @; copied
   */
  public static Parsed<SqlAction> parse(
      String text, Map<String, FilterValue> parameters, FilterLimits limits) {
    var given = new Parameters(parameters);
    try {
      var statements = new Parser(text, true, given, limits).statements();
      return new Parsed.Done<>(new SqlAction(text, given.given(), statements));
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

  /** What it takes of the heap at most, made ready included. */
  public long heapBytes() {
    return heapBytes;
  }

  /** The same made ready to change messages. */
  public ActionRun ready() {
    return new ActionRun(statements);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SqlAction that
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
