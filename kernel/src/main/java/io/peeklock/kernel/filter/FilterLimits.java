package io.peeklock.kernel.filter;

/**
 * The size limits of filters and actions (S-365). A larger one is refused when the rule is added,
 * and each part is evaluated at most once; {@link Allowance} limits the cost of a part.
 *
 * @param maxCharacters of the text
 * @param maxDepth how deep parentheses, NOT, signs and functions may nest
 * @param maxParts constants, properties, operators and functions together
 * @param maxStatements of an action
 */
public record FilterLimits(int maxCharacters, int maxDepth, int maxParts, int maxStatements) {
  /** The limits of Service Bus, where it has one. */
  public static final FilterLimits STANDARD = new FilterLimits(1_024, 32, 10_000, 32);

  /** The most that any profile can allow. */
  public static final FilterLimits CEILING = new FilterLimits(65_536, 128, 10_000, 1_024);

  /**
   * Creates limits.
   *
   * @throws IllegalArgumentException for limits above the ceiling
   */
  public FilterLimits {
    require(maxCharacters, 65_536, "maxCharacters");
    require(maxDepth, 128, "maxDepth");
    require(maxParts, 10_000, "maxParts");
    require(maxStatements, 1_024, "maxStatements");
  }

  private static void require(int limit, int ceiling, String name) {
    if (limit < 1 || limit > ceiling) {
      throw new IllegalArgumentException(name + " must be in 1.." + ceiling);
    }
  }
}
