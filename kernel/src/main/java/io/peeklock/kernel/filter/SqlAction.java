package io.peeklock.kernel.filter;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Changes the copy of a message, as in {@code SET priority = 'low'; REMOVE owner} (S-358). */
public final class SqlAction extends SqlExpression {
  private final List<Statement> statements;
  private final long heapBytes;

  private SqlAction(String text, Map<String, FilterValue> parameters, List<Statement> statements) {
    super(text, parameters);
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
    return read(
        text,
        parameters,
        limits,
        true,
        (parser, given) -> new SqlAction(text, given, parser.statements()));
  }

  /** The most heap in bytes that it takes, compiled form included. */
  public long heapBytes() {
    return heapBytes;
  }

  /** Compiles the action. */
  public ActionRun ready() {
    return new ActionRun(statements);
  }
}
