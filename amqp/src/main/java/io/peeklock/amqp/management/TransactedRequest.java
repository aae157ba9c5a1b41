package io.peeklock.amqp.management;

import io.peeklock.amqp.engine.messaging.TransactionId;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.error.MessageProblem;
import io.peeklock.amqp.request.Call;
import io.peeklock.amqp.transaction.OpenTransaction;
import io.peeklock.amqp.transaction.Transactions;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.runtime.Submission;
import org.jspecify.annotations.Nullable;

/**
 * A management request that names a transaction and changes something. What can be undone is part
 * of it: answered as usual, it happens at the commit (S-376, S-403). What cannot be undone is
 * refused, and takes the transaction with it.
 */
final class TransactedRequest {
  private static final MessageProblem NEVER =
      new MessageProblem(
          Conditions.NOT_ALLOWED,
          "This operation cannot be part of a transaction: it happens at once or not at all. Ask"
              + " for it outside of the transaction");

  private final ManagementNode node;
  private final Submission submission;

  TransactedRequest(ManagementNode node, Submission submission) {
    this.node = node;
    this.submission = submission;
  }

  /**
   * Whether a transaction has a say in it. What only looks, takes a lock or prolongs one has
   * nothing to roll back, and happens at once (S-377).
   */
  static boolean concerns(Request request) {
    return switch (request) {
      case Request.Renew ignored -> false;
      case Request.RenewSession ignored -> false;
      case Request.Peek ignored -> false;
      case Request.GetSessionState ignored -> false;
      case Request.ListSessions ignored -> false;
      case Request.ListRules ignored -> false;
      case Request.ReceiveDeferred receive -> receive.mode() != ReceiveMode.PEEK_LOCK; // S-378
      default -> true;
    };
  }

  /** Makes it part of the transaction, or answers why not. */
  void submit(TransactionId id, Call call) {
    var transaction = node.transactions().find(id);
    var problem = transaction == null ? Transactions.UNKNOWN : transaction.enter(node.asLink());
    if (problem == null && transaction != null) {
      problem = join(transaction, call);
    }
    if (problem != null) {
      submission.release();
      if (transaction != null) {
        transaction.fail(problem);
      }
      node.fail(call, problem);
    }
  }

  private @Nullable MessageProblem join(OpenTransaction transaction, Call call) {
    return switch (submission.request()) {
      case Request.Settle settle -> transaction.enlist(settle, call, submission.overlay());
      case Request.SetSessionState set -> transaction.setState(set, submission.overlay(), call);
      case Request.CancelScheduled cancel -> transaction.cancel(cancel, call);
      case Request.ReceiveDeferred ignored -> NEVER;
      case Request.AddRule ignored -> NEVER;
      case Request.RemoveRule ignored -> NEVER;
      case EntityRequest.DeleteMessages ignored -> NEVER;
      default -> throw new IllegalStateException("not asked for by management requests");
    };
  }

  /** The request was wrong, and is answered: a transaction that it names has failed (S-399). */
  static void wrong(ManagementNode node, @Nullable TransactionId id, BadManagementRequest bad) {
    var transaction = id == null ? null : node.transactions().find(id);
    if (transaction != null) {
      transaction.fail(new MessageProblem(bad.condition(), bad.sentence()));
    }
  }
}
