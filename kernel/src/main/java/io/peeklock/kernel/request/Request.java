package io.peeklock.kernel.request;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.entity.RulePage;
import io.peeklock.kernel.refusal.Refusal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request to the machine. Sends and settlements come as bursts: one request for everything that
 * one read of a socket brought.
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
   * A request that names one queue, topic or subscription: it counts as use of that entity (S-308),
   * and its refusal is counted there.
   */
  interface OnQueue {

    /** The named entity, which may no longer exist. */
    QueueId queue();
  }

  /**
   * Make a queue and its dead-letter queue, a topic, or a subscription. An equal one that exists is
   * no error; a different one is refused with the difference (S-061).
   *
   * @param rules the rules that a subscription begins with (S-314); null for {@link
   *     Rule#selectingAll} (S-313), and for a queue or topic
   */
  record CreateQueue(
      Origin origin, Ticket ticket, QueueDefinition definition, @Nullable List<Rule> rules)
      implements Request {
    /** A request without rules of its own. */
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

  /**
   * Remove a rule from a subscription; refused with {@code RuleNotFound} when it has none of that
   * name.
   */
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
   * Store messages (S-001). Each is accepted or refused by itself, or all or none when {@code
   * atomic} (S-405).
   *
   * @param ticket null for pre-settled transfers, which get no answer (S-018, S-019)
   * @param numbered whether the answer names the sequence numbers (S-149)
   * @param via the entity that they are sent through (S-301): they wait there while the queue has
   *     no room, and become its transfer dead letters when the queue refuses them; null for none
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
    /** A send straight to its queue. */
    public Send(
        Origin origin,
        @Nullable Ticket ticket,
        QueueId queue,
        SendBurst burst,
        boolean atomic,
        boolean numbered) {
      this(origin, ticket, queue, burst, atomic, numbered, null);
    }

    /** A send whose answer names no sequence numbers. */
    public Send(
        Origin origin, @Nullable Ticket ticket, QueueId queue, SendBurst burst, boolean atomic) {
      this(origin, ticket, queue, burst, atomic, false);
    }
  }

  /** Delete scheduled messages that are not active yet, all or none (S-153 to S-155). */
  record CancelScheduled(Origin origin, Ticket ticket, QueueId queue, long[] sequenceNumbers)
      implements Request, OnQueue {}

  /** A receiver joins a queue; it gets nothing before it shows demand. */
  record OpenReceiver(Origin origin, QueueId queue, ReceiveMode mode) implements Request, OnQueue {}

  /**
   * A receiver's demand (S-086, S-087).
   *
   * @param deliveryLimit the total of deliveries since the receiver opened at which this demand is
   *     used up; absolute, so repeating it changes nothing, and it may fall
   * @param drain whether to deliver what is there now and then give the rest back with {@code
   *     Effect.Drained}
   */
  record Flow(Origin origin, long deliveryLimit, boolean drain) implements Request {}

  /**
   * Deliveries to this receiver reached its socket, which frees that many bytes of its budget.
   *
   * @param bytes sum of the sizes told with the deliveries
   */
  record Transferred(Origin origin, long bytes) implements Request {}

  /**
   * Peek-lock deliveries that never reached the receiver, because its link ended or it took credit
   * back. They are available again without a failed attempt, and give their demand back.
   *
   * @param bytes sum of the sizes told with the deliveries
   */
  record Undelivered(Origin origin, long[] lockIds, int count, long bytes) implements Request {}

  /** The receiver left. Its message locks stay until they lapse (R-01, S-113). */
  record CloseReceiver(Origin origin) implements Request {}

  /**
   * End locks, all with the same settlement. Each succeeds or is refused by itself, or all or none
   * when {@code atomic}.
   *
   * @param ticket null when the client has settled already and waits for no answer
   * @param queue the queue that the locks must belong to; a token of another queue counts as lost
   * @param overlay changed properties; only with a single lock id
   * @param holder the receiver that must hold the session of the messages (S-111); null when the
   *     locks came with deliveries to {@code origin}, or there are no sessions
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
    /** A settlement of locks that {@code origin} took itself. */
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

    /**
     * Creates the request.
     *
     * @throws IllegalArgumentException when there are fewer ids than {@code count}, or changed
     *     properties for more than one
     */
    public Settle {
      if (count < 0 || count > lockIds.length) {
        throw new IllegalArgumentException("a settlement has as many lock ids as its count");
      }
      if (overlay != null && count != 1) {
        throw new IllegalArgumentException("changed properties are for a single message");
      }
    }

    /** The same request with changed properties that now contain an earlier overlay. */
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
   * A receiver wants a message session (S-236, S-238). It gets the session with {@code
   * Effect.SessionAccepted} and from then on its messages, as far as it shows demand; {@link
   * CloseReceiver} gives the session back, or ends the wait.
   *
   * @param origin the receiver
   * @param sessionId the session; null for any session with an available message
   * @param waitMillis how long it waits for any session before {@link Refusal.Timeout}
   * @param shared null when nobody else may take the session while it is held
   */
  record AcceptSession(
      Origin origin,
      Ticket ticket,
      QueueId queue,
      @Nullable String sessionId,
      ReceiveMode mode,
      long waitMillis,
      @Nullable SharedSession shared)
      implements Request, OnQueue {

    /** For a receiver that holds it alone. */
    public AcceptSession(
        Origin origin,
        Ticket ticket,
        QueueId queue,
        @Nullable String sessionId,
        ReceiveMode mode,
        long waitMillis) {
      this(origin, ticket, queue, sessionId, mode, waitMillis, null);
    }
  }

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
   * List sessions (S-259, S-260). One decision looks at a part of them: a caller that needs more
   * asks again from {@code Effect.SessionsListed.next}.
   *
   * @param setAfterMillis those whose state was set after this time; {@link Long#MAX_VALUE} for all
   *     with active messages or a state
   * @param skip how many of these to skip first
   * @param most how many to list, at least 1
   * @param from where to continue, as an earlier answer said; 0 for the beginning
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
   * @param maxBytes refuse when the sum of sizes exceeds this, before anything is locked or
   *     consumed; a single message under lock is always given
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
   * Read without locking (S-218), from a sequence number on (S-222).
   *
   * @param maxMessages the most to return (S-223)
   * @param maxBytes stop before the sum of sizes exceeds this; one message is always returned
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
    /** A peek at messages of all sessions. */
    public Peek(Origin origin, Ticket ticket, QueueId queue, long from, int most, long bytes) {
      this(origin, ticket, queue, from, most, bytes, null);
    }
  }
}
