package io.peeklock.kernel.request;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.entity.RulePage;
import io.peeklock.kernel.refusal.Refusal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request. Sends and settlements come as bursts: one request for all that a socket brought in one
 * read.
 */
public sealed interface Request
    permits Request.CreateQueue,
        Request.AddRule,
        Request.RemoveRule,
        Request.ListRules,
        Request.Send,
        Request.CancelScheduled,
        Request.OpenReceiver,
        Request.Flow,
        Request.Transferred,
        Request.Undelivered,
        Request.CloseReceiver,
        Request.Settle,
        Request.AcceptSession,
        Request.RenewSession,
        Request.GetSessionState,
        Request.SetSessionState,
        Request.ListSessions,
        Request.Renew,
        Request.ReceiveDeferred,
        Request.Peek,
        EntityRequest,
        TransactionRequest {

  /** Who is answered. */
  Origin origin();

  /**
   * What names one queue, topic or subscription: that is used by it (S-308), and where it is
   * refused the refusal counts there.
   */
  interface OnQueue {

    /** The one that is named; it may be no more. */
    QueueId queue();
  }

  /**
   * Make a queue and its dead-letter queue, a topic, or a subscription. An equal one that exists is
   * no error; a different one is refused with the difference (S-061).
   *
   * @param rules that a subscription begins with (S-314); null for {@link Rule#selectingAll}
   *     (S-313), and for what is no subscription
   */
  record CreateQueue(
      Origin origin, Ticket ticket, QueueDefinition definition, @Nullable List<Rule> rules)
      implements Request {
    /** One without rules of its own. */
    public CreateQueue(Origin origin, Ticket ticket, QueueDefinition definition) {
      this(origin, ticket, definition, null);
    }
  }

  /** Add a rule to a subscription (S-315, S-317). */
  record AddRule(Origin origin, Ticket ticket, QueueId subscription, Rule rule)
      implements Request, OnQueue {
    @Override
    public QueueId queue() {
      return subscription;
    }
  }

  /** Take a rule from a subscription. */
  record RemoveRule(Origin origin, Ticket ticket, QueueId subscription, String name)
      implements Request, OnQueue {
    @Override
    public QueueId queue() {
      return subscription;
    }
  }

  /** List rules of a subscription by name (S-324), else as they were added. */
  record ListRules(Origin origin, Ticket ticket, QueueId subscription, RulePage page)
      implements Request, OnQueue {
    @Override
    public QueueId queue() {
      return subscription;
    }
  }

  /**
   * Store messages (S-001). Each stands for itself, or all or none when {@code atomic} (S-405).
   *
   * @param ticket null for pre-settled transfers, which nobody is told about (S-018, S-019)
   * @param numbered whether the answer is to name the sequence numbers (S-149)
   * @param via the entity that they go through (S-301), where they wait while there is no room for
   *     them at the queue, and become dead letters when it takes none; null for none
   */
  record Send(
      Origin origin,
      @Nullable Ticket ticket,
      QueueId queue,
      SendBurst burst,
      boolean atomic,
      boolean numbered,
      @Nullable QueueId via)
      implements Request, OnQueue {
    /** One straight to its queue. */
    public Send(
        Origin origin,
        @Nullable Ticket ticket,
        QueueId queue,
        SendBurst burst,
        boolean atomic,
        boolean numbered) {
      this(origin, ticket, queue, burst, atomic, numbered, null);
    }

    /** One whose answer says no numbers. */
    public Send(
        Origin origin, @Nullable Ticket ticket, QueueId queue, SendBurst burst, boolean atomic) {
      this(origin, ticket, queue, burst, atomic, false);
    }
  }

  /** Delete scheduled messages that are not active yet, all or none (S-153 to S-155). */
  record CancelScheduled(Origin origin, Ticket ticket, QueueId queue, long[] sequenceNumbers)
      implements Request, OnQueue {}

  /** A receiver appears on a queue; it gets nothing before it shows demand. */
  record OpenReceiver(Origin origin, QueueId queue, ReceiveMode mode) implements Request, OnQueue {}

  /**
   * A receiver's demand (S-086, S-087).
   *
   * @param deliveryLimit how many deliveries it will have taken in all when this demand is used up;
   *     absolute, so repeating it changes nothing, and it may fall
   * @param drain send what is there now, then give the rest back with {@link Effect.Drained}
   */
  record Flow(Origin origin, long deliveryLimit, boolean drain) implements Request {}

  /**
   * Deliveries to this receiver reached its socket, which frees that many bytes of its budget.
   *
   * @param bytes sum of the sizes told with the deliveries
   */
  record Transferred(Origin origin, long bytes) implements Request {}

  /**
   * Peek-lock deliveries that never reached the receiver, because its link went or it took credit
   * back. They are free again without a count, and count as not delivered in its demand.
   *
   * @param bytes sum of the sizes told with the deliveries
   */
  record Undelivered(Origin origin, long[] lockIds, int count, long bytes) implements Request {}

  /** The receiver is gone. Its message locks stay until they lapse (R-01, S-113). */
  record CloseReceiver(Origin origin) implements Request {}

  /**
   * End locks, all in the same way. Each stands for itself, or all or none when {@code atomic}
   * (R-31).
   *
   * @param ticket null when the client settled already and waits for nothing
   * @param queue the queue that the locks must be of; another one's token is lost here
   * @param overlay changed properties; only with a single lock id
   * @param holder the receiver that must hold the session of the messages (S-111); null when the
   *     locks are of the asker's own deliveries, or there are no sessions
   */
  record Settle(
      Origin origin,
      @Nullable Ticket ticket,
      QueueId queue,
      Settlement settlement,
      long[] lockIds,
      int count,
      boolean atomic,
      @Nullable Overlay overlay,
      @Nullable Origin holder)
      implements Request, OnQueue {
    /** One of locks that were taken by the asker itself. */
    public Settle(
        Origin origin,
        @Nullable Ticket ticket,
        QueueId queue,
        Settlement settlement,
        long[] lockIds,
        int count,
        boolean atomic,
        @Nullable Overlay overlay) {
      this(origin, ticket, queue, settlement, lockIds, count, atomic, overlay, null);
    }

    /** Refuses a count that the ids do not cover, and changed properties for more than one. */
    public Settle {
      if (count < 0 || count > lockIds.length) {
        throw new IllegalArgumentException("a settlement has as many lock ids as its count");
      }
      if (overlay != null && count != 1) {
        throw new IllegalArgumentException("changed properties are for a single message");
      }
    }

    /** The same request, with changed properties that now contain an earlier overlay. */
    public Settle over(int overlayBytes, long mergedOver) {
      return new Settle(
          origin,
          ticket,
          queue,
          settlement,
          lockIds,
          count,
          atomic,
          new Overlay(overlayBytes, mergedOver),
          holder);
    }
  }

  /**
   * A receiver wants a message session (S-236, S-238). It gets it with {@link
   * Effect.SessionAccepted} and from then on its messages, as far as it shows demand; it gives it
   * back with {@link CloseReceiver}, which also ends the waiting.
   *
   * @param origin the receiver
   * @param sessionId which; null for any that has an available message
   * @param waitMillis how long it waits for any; it is refused with {@link Refusal.Timeout} then
   */
  record AcceptSession(
      Origin origin,
      Ticket ticket,
      QueueId queue,
      @Nullable String sessionId,
      ReceiveMode mode,
      long waitMillis)
      implements Request, OnQueue {}

  /**
   * Extend a session lock to now plus the lock duration (S-244).
   *
   * @param holder the receiver that holds it; null when the client has none
   */
  record RenewSession(
      Origin origin, Ticket ticket, QueueId queue, String sessionId, @Nullable Origin holder)
      implements Request, OnQueue {}

  /** Read the state of a session (S-255); holder as in {@link RenewSession}. */
  record GetSessionState(
      Origin origin, Ticket ticket, QueueId queue, String sessionId, @Nullable Origin holder)
      implements Request, OnQueue {}

  /**
   * Set the state of a session, which comes as a staged body, or clear it (S-254, S-255).
   *
   * @param bytes its size; -1 to clear it
   * @param holder as in {@link RenewSession}
   */
  record SetSessionState(
      Origin origin,
      Ticket ticket,
      QueueId queue,
      String sessionId,
      @Nullable Origin holder,
      int bytes)
      implements Request, OnQueue {}

  /**
   * List sessions (S-259, S-260). One decision looks at a part of them: who has not enough asks on.
   *
   * @param setAfterMillis those whose state was set after this time; {@link Long#MAX_VALUE} for all
   *     with active messages or a state
   * @param skip how many of these are passed over first
   * @param most how many to list, at least 1
   * @param from the place to go on from, as an answer told it; 0 for the beginning
   */
  record ListSessions(
      Origin origin,
      Ticket ticket,
      QueueId queue,
      long setAfterMillis,
      int skip,
      int most,
      int from)
      implements Request, OnQueue {}

  /** Extend locks to now plus the lock duration, all or none (S-105, S-107). */
  record Renew(Origin origin, Ticket ticket, QueueId queue, long[] lockIds)
      implements Request, OnQueue {}

  /**
   * Receive deferred messages by number, all or none (S-207, S-208).
   *
   * @param holder the receiver that holds their session; null for none
   * @param maxBytes refuse when the sum of sizes passes this, before anything is locked or gone;
   *     one message under lock always goes
   */
  record ReceiveDeferred(
      Origin origin,
      Ticket ticket,
      QueueId queue,
      long[] sequenceNumbers,
      ReceiveMode mode,
      @Nullable Origin holder,
      long maxBytes)
      implements Request, OnQueue {}

  /**
   * Read without locking (S-218), from a number on (S-222).
   *
   * @param maxMessages at most so many (S-223)
   * @param maxBytes stop before the sum of sizes passes this; one message always goes
   * @param sessionId only messages of this session; null for all
   */
  record Peek(
      Origin origin,
      Ticket ticket,
      QueueId queue,
      long fromSequenceNumber,
      int maxMessages,
      long maxBytes,
      @Nullable String sessionId)
      implements Request, OnQueue {
    /** Of any session. */
    public Peek(Origin origin, Ticket ticket, QueueId queue, long from, int most, long bytes) {
      this(origin, ticket, queue, from, most, bytes, null);
    }
  }
}
