package io.peeklock.kernel.grant;

import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.kernel.request.Transaction;
import java.util.List;

/**
 * A change of volatile state: the lock table and the receivers' demand. Never encoded, never
 * replayed; all of it ends with the process or the leader's term (S-042, S-116).
 */
public sealed interface Grant {

  /**
   * Locks were taken on messages of a queue.
   *
   * @param lockIds as told to the receiver, one per number; the table knows them before, so nothing
   *     may be applied between a decision and its grants
   * @param deadlineMillis on the monotonic clock
   */
  record Locked(QueueId queue, long[] sequenceNumbers, long[] lockIds, long deadlineMillis)
      implements Grant {}

  /** Locks were extended to this deadline on the monotonic clock. */
  record Extended(long[] lockIds, long deadlineMillis) implements Grant {}

  /**
   * Locks ended.
   *
   * @param available whether their messages stay as they are and lose their lock; false when a fact
   *     of the same decision removes or defers them, which takes it off already
   */
  record Unlocked(QueueId queue, long[] lockIds, boolean available) implements Grant {}

  /** Locks are kept for a transaction. */
  record Enlisted(QueueId queue, long[] lockIds, Transaction transaction) implements Grant {}

  /** A transaction is over: the locks that it still keeps are free of it, with their deadlines. */
  record TransactionOver(Transaction transaction) implements Grant {}

  /** A receiver holds a session until this deadline on the monotonic clock. */
  record SessionLocked(
      Origin receiver, QueueId queue, ReceiveMode mode, String sessionId, long deadlineMillis)
      implements Grant {}

  /** A session lock was extended. */
  record SessionExtended(QueueId queue, String sessionId, long deadlineMillis) implements Grant {}

  /**
   * A session has no holder any more, and more messages under its lock than one decision frees: the
   * others become free in later ones, and until then nobody can have it.
   *
   * @param counted whether that is a failed attempt for each of them
   */
  record SessionEnds(QueueId queue, String sessionId, boolean counted) implements Grant {}

  /** A receiver waits for any session until this deadline on the monotonic clock. */
  record AcceptorWaits(
      Origin receiver, QueueId queue, Ticket ticket, ReceiveMode mode, long deadlineMillis)
      implements Grant {}

  /** A receiver waits no more. */
  record AcceptorLeft(Origin receiver, QueueId queue) implements Grant {}

  /** A receiver joined. */
  record ReceiverOpened(Origin receiver, QueueId queue, ReceiveMode mode) implements Grant {}

  /** A receiver left. */
  record ReceiverClosed(Origin receiver) implements Grant {}

  /**
   * Receivers, or those who wait for a session, are to be sent away in later decisions, because
   * they are more than one decision ends.
   */
  record ReceiversLeave(List<Origin> receivers, Refusal reason) implements Grant {}

  /** So many of the first of those are sent away, as far as they were still there. */
  record ReceiversLeft(int count) implements Grant {}

  /**
   * The namespace is being emptied by this decision and later ones.
   *
   * @param asker who is answered at the end, with his ticket
   * @param keepsEntities whether they are made again as they were
   * @param endNumber of the queues with lower numbers, which were there
   */
  record EmptyingBegins(Origin asker, Ticket ticket, boolean keepsEntities, int endNumber)
      implements Grant {}

  /** The first of those that are under way is over. */
  record EmptyingEnds() implements Grant {}

  /**
   * Some more rules of subscriptions that are no more are forgotten.
   *
   * @param cost about how much
   */
  record RulesLetGo(int cost) implements Grant {}

  /**
   * A receiver's demand changed.
   *
   * @param deliveryLimit see {@link Request.Flow}
   */
  record DemandSet(Origin receiver, long deliveryLimit, boolean drain) implements Grant {}

  /**
   * Demand was used up by deliveries.
   *
   * @param bytes of all of them, charged to the receiver's budget
   * @param index what their effect waits for
   */
  record DemandUsed(Origin receiver, int deliveries, long bytes, long index) implements Grant {}

  /** Budget came back because deliveries left, or deliveries came back undelivered. */
  record DemandReturned(Origin receiver, int undelivered, long bytes) implements Grant {}

  /** A drain was answered; the demand is used up. */
  record DrainEnded(Origin receiver) implements Grant {}

  /**
   * A queue was looked through for expired messages, as far as the chunks with these numbers; when
   * the next of them expires is to be found out anew.
   */
  record Swept(QueueId queue, long[] sequenceNumbers) implements Grant {}

  /**
   * A queue was looked through for scheduled messages that are due, as far as the chunks with these
   * numbers; when the next of them is due is to be found out anew.
   */
  record ScheduleSwept(QueueId queue, long[] sequenceNumbers) implements Grant {}

  /** What a queue forwards was looked through, as far as this number and not beyond. */
  record ForwardLooked(QueueId queue, long nextSequenceNumber) implements Grant {}

  /**
   * No scheduled message of a queue becomes active before this shard time, because one cannot be
   * read; then it is tried again.
   */
  record ScheduleWaits(QueueId queue, long untilMillis) implements Grant {}

  /** A queue forwards nothing more until this time on the monotonic clock (S-200). */
  record ForwardWaits(QueueId queue, long untilMillis) implements Grant {}

  /** The queues whose waiting is over are to be looked through again. */
  record ForwardsRetried(long monotonicMillis) implements Grant {}

  /**
   * An entity was used at this shard time, so that it is not idle from before (S-308 to S-310); a
   * subscription's topic with it.
   *
   * @param queue the entity, or its dead-letter queue
   * @param monotonicMillis the same time on the clock by which idle time is counted
   */
  record Used(QueueId queue, long atMillis, long monotonicMillis) implements Grant {
    /** Used now. */
    public Used(QueueId queue, Stamp stamp) {
      this(queue, stamp.nowMillis(), stamp.monotonicMillis());
    }
  }

  /**
   * Time was looked at for these queues; when it has something to do for them next is to be found
   * out anew.
   */
  record Ticked(List<QueueId> queues) implements Grant {}

  /**
   * Of what is due of a kind, the queue with this number has the next turn, or the one with the
   * next higher number for which something is.
   */
  record NextTurn(Due due, int queueNumber) implements Grant {}

  /** What the passing of time does, in the order in which one look does it. */
  enum Due {
    /** Locks, or waiting for a session, that end; monotonic time. */
    LAPSES,
    /** Messages that expire; shard time. */
    EXPIRIES,
    /** Scheduled messages of a queue that become active; wall time, as of {@link Stamp}. */
    SCHEDULES,
    /** Those of a topic of which the messages must be read; the same time. */
    READ_COPIES,
    /** Those of any other topic; the same time. */
    COPIES
  }

  /** This kind of work had its turn. */
  record HadTurn(Work work) implements Grant {}

  /** What is done without anybody asking for it now. */
  enum Work {
    /** Locks that lapse, messages that expire, scheduled ones that are due. */
    DUE,
    /** Entities that are idle long enough. */
    IDLE,
    /** Receivers that are to be sent away. */
    LEAVING,
    /** A namespace that is to be emptied. */
    EMPTYING,
    /** What deleted entities still hold. */
    DELETED,
    /** Rules of subscriptions that are no more. */
    RULES
  }
}
