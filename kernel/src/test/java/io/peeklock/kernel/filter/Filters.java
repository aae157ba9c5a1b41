package io.peeklock.kernel.filter;

/** Filters and what they say, for tests. */
final class Filters {

  private Filters() {}

  static SqlFilter sql(String text) {
    return done(SqlFilter.parse(text, SampleMessage.parameters(), FilterLimits.STANDARD));
  }

  static SqlAction action(String text) {
    return done(SqlAction.parse(text, SampleMessage.parameters(), FilterLimits.STANDARD));
  }

  static <T> T done(Parsed<T> parsed) {
    return switch (parsed) {
      case Parsed.Done<T> done -> done.value();
      case Parsed.Wrong<T> wrong -> throw new AssertionError(wrong.problem().toString());
    };
  }

  static String problem(Parsed<?> parsed) {
    return parsed instanceof Parsed.Wrong<?> wrong ? wrong.problem().toString() : "none";
  }

  /** Whether one filter selects a message; fails when it cannot be evaluated. */
  static boolean selects(Filter filter, FilterSubject message) {
    RuleMatches matches = match(filter, message);
    if (matches.failedCount() > 0) {
      throw new AssertionError(matches.failure(0));
    }
    return matches.count() == 1;
  }

  static RuleMatches match(Filter filter, FilterSubject message) {
    var table = new RuleTable();
    table.add(7, filter);
    var matches = new RuleMatches();
    table.match(message, 1, matches);
    return matches;
  }

  /**
   * T, F or U: a filter cannot show the difference between false and unknown, but together with its
   * opposite it can. Or why it cannot be evaluated.
   */
  static String truth(String condition, FilterSubject message) {
    RuleMatches asked = match(sql(condition), message);
    RuleMatches opposite = match(sql("NOT (" + condition + ")"), message);
    if (asked.failedCount() > 0) {
      return asked.failure(0);
    }
    return asked.count() == 1 ? "T" : opposite.count() == 1 ? "F" : "U";
  }
}
