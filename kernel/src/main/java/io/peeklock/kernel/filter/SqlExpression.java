package io.peeklock.kernel.filter;

import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The SQL of a rule: a text, and values for its parameters. */
public abstract class SqlExpression {
  private final String text;
  private final Map<String, FilterValue> parameters;

  SqlExpression(String text, Map<String, FilterValue> parameters) {
    this.text = text;
    this.parameters = parameters;
  }

  /**
   * Reads one.
   *
   * @param parameters values by name, with or without the leading @; copied
   * @param action whether the text changes messages rather than selects them
   * @param making creates the result from the parser and the copied values
   */
  static <E extends SqlExpression> Parsed<E> read(
      String text,
      Map<String, FilterValue> parameters,
      FilterLimits limits,
      boolean action,
      BiFunction<Parser, Map<String, FilterValue>, E> making) {
    var given = new Parameters(parameters);
    try {
      return new Parsed.Done<>(
          making.apply(new Parser(text, action, given, limits), given.given()));
    } catch (Refused refused) {
      return new Parsed.Wrong<>(refused.in(text));
    }
  }

  /** The text as it was given. */
  public final String text() {
    return text;
  }

  /** The parameters as they were given; the values must not be changed. */
  public final Map<String, FilterValue> parameters() {
    return parameters;
  }

  @Override
  public final boolean equals(@Nullable Object other) {
    return other instanceof SqlExpression that
        && getClass() == that.getClass()
        && text.equals(that.text)
        && parameters.equals(that.parameters);
  }

  @Override
  public final int hashCode() {
    return text.hashCode();
  }

  @Override
  public final String toString() {
    return text;
  }
}
