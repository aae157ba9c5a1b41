package io.peeklock.simulator.model;

/**
 * When something happened, by the clocks of the broker.
 *
 * @param earliest in milliseconds
 * @param latest as well
 */
record Moment(long earliest, long latest) {
  private static final long LATE_MILLIS = 3_000;

  /** At this time, give or take so much. */
  static Moment at(long millis, long slack) {
    return new Moment(millis - slack, millis + slack);
  }

  /** Long enough ago for all that was due to be done, once all is at rest. */
  Moment whenDue() {
    return new Moment(earliest - LATE_MILLIS, latest);
  }

  /** By how much clocks may be wrong at most. */
  long slack() {
    return (latest - earliest) / 2;
  }

  /** Whether it may come as late as it likes: nobody waits for an answer. */
  boolean isOpen() {
    return latest == State.FOREVER;
  }

  boolean isSurelyAfter(long millis) {
    return millis < earliest;
  }

  boolean mayBeAfter(long millis) {
    return millis <= latest;
  }
}
