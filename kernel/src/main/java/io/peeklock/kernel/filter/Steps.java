package io.peeklock.kernel.filter;

/**
 * What evaluating may still cost, in steps: a part looked at, a character that LIKE compares. A
 * text that is copied or compared as a whole costs less for each of its bytes.
 */
final class Steps {
  private static final int COMPARED_AT_ONCE = 4; // a power of two, as those below
  private static final int COPIED_AT_ONCE = 3;

  private long given;
  private long left;

  /** From now on, so many. */
  void allow(long most) {
    given = most;
    left = most;
  }

  /** Takes some of those that are left; fails when there are not so many. */
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

  /** Each byte is looked at. */
  void spendOnReading(FilterValue value) {
    if (value.type().hasBytes()) {
      spend(value.length());
    }
  }

  /** A comparison ends at the latest where the shorter text does. */
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
