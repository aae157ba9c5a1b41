package io.peeklock.kernel.filter;

/** The comparing operators. */
enum Relation {
  EQUAL("="),
  NOT_EQUAL("<>"),
  LESS("<"),
  LESS_OR_EQUAL("<="),
  GREATER(">"),
  GREATER_OR_EQUAL(">=");

  private final String sign;

  Relation(String sign) {
    this.sign = sign;
  }

  String sign() {
    return sign;
  }

  /** Whether it holds for two comparable values. */
  boolean holds(FilterValue left, FilterValue right) {
    return switch (this) {
      case EQUAL -> Comparison.equal(left, right);
      case NOT_EQUAL -> !Comparison.equal(left, right);
      case LESS -> Comparison.order(left, right) == -1;
      case GREATER -> Comparison.order(left, right) == 1;
      case LESS_OR_EQUAL -> Comparison.order(left, right) <= 0;
      case GREATER_OR_EQUAL -> isZeroOrOne(Comparison.order(left, right));
    };
  }

  private static boolean isZeroOrOne(int order) {
    return order == 0 || order == 1;
  }
}
