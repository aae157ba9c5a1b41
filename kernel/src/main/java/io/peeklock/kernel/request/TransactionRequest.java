package io.peeklock.kernel.request;

import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.refusal.Refusal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request about a transaction. */
public sealed interface TransactionRequest extends Request {

  /**
   * Settle locks in a transaction, all or none: until it ends their messages stay as they are, and
   * the locks do not lapse and cannot be used otherwise (S-381 to S-383).
   *
   * @param settle the settlement as it will be in the {@link Commit}; its origin is answered with
   *     its ticket
   */
  record Enlist(Transaction transaction, Request.Settle settle)
      implements TransactionRequest, Request.OnQueue {
    @Override
    public Origin origin() {
      return settle.origin();
    }

    @Override
    public QueueId queue() {
      return settle.queue();
    }
  }

  /**
   * Commit a transaction: everything in it takes effect, or nothing does (S-379, I-27). The staged
   * bodies are the overlays of its settlements, in their order, then the states of sessions, and
   * then the messages of its sends.
   *
   * @param settlements the enlisted settlements, with changed properties that contain the earlier
   *     ones
   * @param cancellations one for each queue
   * @param states one for each session (S-525)
   * @param sends one for each queue, with its messages in the order in which they came
   */
  record Commit(
      Origin origin,
      Ticket ticket,
      Transaction transaction,
      List<Request.Settle> settlements,
      List<Request.CancelScheduled> cancellations,
      List<Request.SetSessionState> states,
      List<Request.Send> sends)
      implements TransactionRequest {
    /**
     * Creates the request.
     *
     * @throws IllegalArgumentException when two sends or two cancellations are for one queue, as
     *     neither would see the other
     */
    public Commit {
      if (sends.stream().map(Request.Send::queue).distinct().count() < sends.size()
          || cancellations.stream().map(Request.CancelScheduled::queue).distinct().count()
              < cancellations.size()) {
        throw new IllegalArgumentException("a commit has one send for each queue, and so on");
      }
    }

    /** A commit that sets no session state. */
    public Commit(
        Origin origin,
        Ticket ticket,
        Transaction transaction,
        List<Request.Settle> settlements,
        List<Request.CancelScheduled> cancellations,
        List<Request.Send> sends) {
      this(origin, ticket, transaction, settlements, cancellations, List.of(), sends);
    }
  }

  /**
   * Roll a transaction back: nothing of it takes effect, and its locks are as before (S-380, S-381,
   *
   *
   * @param ticket null when nobody waits for an answer
   * @param reason why a commit was turned into this rollback; null when a rollback was asked for
   */
  record Rollback(
      Origin origin, @Nullable Ticket ticket, Transaction transaction, @Nullable Refusal reason)
      implements TransactionRequest {}

  /**
   * Reserve sequence numbers for messages that a transaction will schedule; answered with {@code
   * Effect.SendAnswered}.
   */
  record GiveNumbers(Origin origin, Ticket ticket, QueueId queue, int count)
      implements TransactionRequest, Request.OnQueue {}

  /**
   * Answer as {@link Request.SetSessionState} would now, and change nothing.
   *
   * @param set its origin is answered with its ticket
   */
  record CheckSessionState(Request.SetSessionState set)
      implements TransactionRequest, Request.OnQueue {
    @Override
    public Origin origin() {
      return set.origin();
    }

    @Override
    public QueueId queue() {
      return set.queue();
    }
  }

  /** Answer as {@link Request.CancelScheduled} would now, and change nothing. */
  record FindScheduled(Origin origin, Ticket ticket, QueueId queue, long[] sequenceNumbers)
      implements TransactionRequest, Request.OnQueue {}
}
