package io.peeklock.kernel.filter;

/** The operators between numbers, texts and times. */
enum ArithmeticOperator {
  PLUS("+"),
  MINUS("-"),
  TIMES("*"),
  DIVIDE("/"),
  MODULO("%");

  private final String sign;

  ArithmeticOperator(String sign) {
    this.sign = sign;
  }

  String sign() {
    return sign;
  }

  boolean divides() {
    return this == DIVIDE || this == MODULO;
  }
}
