package io.peeklock.benchmarks;

import io.peeklock.kernel.state.TopicState;

/**
 * How much there is of everything while steps are measured.
 *
 * @param subscriptions of one topic
 * @param batch messages of one batch: the most that arrive in one decision wherever they are sent
 * @param messages in one queue
 * @param sessions of one queue
 * @param locks held at once
 * @param acceptors that wait for any session of one queue
 * @param entities of one namespace
 * @param rules of one topic, with SQL filters
 * @param correlations rules of one topic, with correlation filters
 * @param due scheduled messages whose time comes at once, and message ids that are remembered
 */
record StepSizes(
    int subscriptions,
    int batch,
    int messages,
    int sessions,
    int locks,
    int acceptors,
    int entities,
    int rules,
    int correlations,
    int due) {

  /** Those that the broker must bear. */
  static final StepSizes FULL =
      new StepSizes(
          2_000, 4_096, 5_000_000, 100_000, 100_000, 20_000, 10_000, 1_000, 100_000, 1_000_000);

  /**
   * All of them smaller, until everything is compiled; but of subscriptions not so few that a
   * message is copied at once, or the first parts would be measured before they are compiled.
   */
  StepSizes smaller(int times) {
    return new StepSizes(
        Math.max(subscriptions / times, 2 * TopicState.MOST_AT_ONCE),
        batch / times,
        messages / times,
        sessions / times,
        locks / times,
        acceptors / times,
        entities / times,
        rules / times,
        correlations / times,
        due / times);
  }
}
