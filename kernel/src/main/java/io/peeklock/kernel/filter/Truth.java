package io.peeklock.kernel.filter;

/** The three truths of SQL. Only {@link #TRUE} selects a message (S-349). */
enum Truth {
  FALSE,
  TRUE,
  UNKNOWN;

  static Truth of(boolean truth) {
    return truth ? TRUE : FALSE;
  }

  Truth not() {
    return switch (this) {
      case FALSE -> TRUE;
      case TRUE -> FALSE;
      case UNKNOWN -> UNKNOWN;
    };
  }
}
