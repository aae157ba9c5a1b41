package io.peeklock.kernel.filter;

/**
 * A filter or action that cannot be evaluated for this message: thrown by nodes, and turned into a
 * result for the rule. Without a stack trace, so that a filter that always fails stays cheap.
 */
final class EvaluationFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  EvaluationFailed(String sentence) {
    super(sentence, null, false, false);
  }

  /** The sentence for a failed evaluation, also for our own faults. */
  static String sentence(RuntimeException failure) {
    return failure instanceof EvaluationFailed
        ? String.valueOf(failure.getMessage())
        : "the evaluation failed: " + failure.getClass().getSimpleName();
  }
}
