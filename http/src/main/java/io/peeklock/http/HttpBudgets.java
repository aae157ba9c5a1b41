package io.peeklock.http;

import io.peeklock.runtime.meter.BudgetUse;
import io.peeklock.runtime.thread.AnyThread;
import java.util.List;

/**
 * The memory that all connections of an edge share.
 *
 * @param unauthenticated for bodies of requests without a good token
 * @param bodies for bodies of all others
 * @param answers for answers that the system has not taken yet
 */
@AnyThread
record HttpBudgets(BodyBudget unauthenticated, BodyBudget bodies, BodyBudget answers) {

  /** With nothing taken. */
  static HttpBudgets within(HttpLimits limits) {
    return new HttpBudgets(
        new BodyBudget("unauthenticated_http_bodies", limits.unauthenticatedBytes()),
        new BodyBudget("http_bodies", limits.stagedBytes()),
        new BodyBudget("http_answers", limits.answerBytes()));
  }

  /** What is taken of each now, and may be. */
  List<BudgetUse> use() {
    return List.of(unauthenticated.use(), bodies.use(), answers.use());
  }
}
