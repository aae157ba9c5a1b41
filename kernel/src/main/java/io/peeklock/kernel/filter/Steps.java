package io.peeklock.kernel.filter;

/**
 * The steps that evaluation may still take: one for each part, and for each character that LIKE
 * compares. Copying or comparing a whole text costs less per byte.
 */
final class Steps {
  private static final int COMPARED_AT_ONCE = 4; // a power of two, as those below
  private static final int COPIED_AT_ONCE = 3;

  private long given;
  private long left;

  /** Sets the number of steps left. */
  void allow(long most) {
    given = most;
    left = most;
  }

  /** Takes steps; fails when not enough are left. */
  void spend(long steps) {
    left -= steps;
    if (left < 0) {
      throw new EvaluationFailed("the evaluation takes more steps than a rule has");
    }
  }

  void spendOnCopying(FilterValue value) {
    if (value.type().hasBytes()) {
      spend(value.length() >> COPIED_AT_ONCE);
    }
  }

  /** Takes the steps of reading each byte of a value. */
  void spendOnReading(FilterValue value) {
    if (value.type().hasBytes()) {
      spend(value.length());
    }
  }

  /** Takes the steps of a comparison, which ends with the shorter text. */
  void spendOnComparing(FilterValue one, FilterValue other) {
    if (one.type().hasBytes() && other.type().hasBytes()) {
      spend(Math.min(one.length(), other.length()) >> COMPARED_AT_ONCE);
    }
  }

  /** Whether more were asked for than were allowed. */
  boolean areOver() {
    return left < 0;
  }

  /** How many were taken since they were allowed. */
  long taken() {
    return given - Math.max(0, left);
  }
}
