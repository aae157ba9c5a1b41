package io.peeklock.amqp;

import io.peeklock.amqp.engine.TransactionId;
import io.peeklock.kernel.Request;
import io.peeklock.runtime.Submission;
import org.jspecify.annotations.Nullable;

/**
 * A management request whose work is part of a transaction (S-376, S-403): it is answered as usual,
 * and happens at the commit.
 */
final class TransactedRequest {
  private final ManagementLink link;
  private final Submission submission;

  TransactedRequest(ManagementLink link, Submission submission) {
    this.link = link;
    this.submission = submission;
  }

  /** Whether a request is of a kind that transactions have. */
  static boolean isWork(Submission submission) {
    return submission.request() instanceof Request.Settle
        || submission.request() instanceof Request.CancelScheduled
        || submission.request() instanceof Request.SetSessionState;
  }

  /** Makes it part of the transaction, or answers why not. */
  void submit(TransactionId id, ManagementLink.Call call) {
    var transaction = link.connection.transactions.find(id);
    var problem = transaction == null ? Transactions.UNKNOWN : transaction.enter(link);
    if (problem == null && transaction != null) {
      problem = join(transaction, call);
    }
    if (problem != null) {
      if (submission.bodies() != null) {
        submission.bodies().release();
      }
      if (transaction != null) {
        transaction.fail(problem);
      }
      link.fail(call, problem);
    }
  }

  private @Nullable MessageProblem join(OpenTransaction transaction, ManagementLink.Call call) {
    return switch (submission.request()) {
      case Request.Settle settle -> transaction.enlist(settle, call, submission.overlay());
      case Request.SetSessionState set -> transaction.setState(set, submission.overlay(), call);
      case Request.CancelScheduled cancel -> {
        transaction.cancel(cancel, call);
        yield null;
      }
      default -> throw new IllegalStateException("not work of a transaction");
    };
  }
}
