package io.peeklock.kernel.grant;

import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SharedSession;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.kernel.request.Transaction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change of volatile state: the lock table and the receivers' demand. Never encoded, never
 * replayed; all of it ends with the process or the leader's term (S-042, S-116).
 */
public sealed interface Grant {

  /**
   * Locks were taken on messages of a queue.
   *
   * @param lockIds as the receiver gets them, one per number; the decision takes them from the lock
   *     table, so nothing may be applied between a decision and its grants
   * @param deadlineMillis on the monotonic clock
   */
  record Locked(QueueId queue, long[] sequenceNumbers, long[] lockIds, long deadlineMillis)
      implements Grant {}

  /** Locks were extended to this deadline on the monotonic clock. */
  record Extended(long[] lockIds, long deadlineMillis) implements Grant {}

  /**
   * Locks ended.
   *
   * @param available whether the messages stay and only lose their lock; false when a fact of the
   *     same decision removes or defers them, which takes the lock off already
   */
  record Unlocked(QueueId queue, long[] lockIds, boolean available) implements Grant {}

  /** Locks are kept for a transaction. */
  record Enlisted(QueueId queue, long[] lockIds, Transaction transaction) implements Grant {}

  /** A transaction is over: locks that it still keeps leave it, with their old deadlines. */
  record TransactionOver(Transaction transaction) implements Grant {}

  /**
   * A receiver holds a session until this deadline on the monotonic clock. One that is held goes
   * from its holder to this receiver, with the messages under its lock.
   *
   * @param token by which another may take it (S-517); null when nobody may
   */
  record SessionLocked(
      Origin receiver,
      QueueId queue,
      ReceiveMode mode,
      String sessionId,
      long deadlineMillis,
      SharedSession.@Nullable Token token)
      implements Grant {}

  /** A session lock was extended. */
  record SessionExtended(QueueId queue, String sessionId, long deadlineMillis) implements Grant {}

  /**
   * A session has lost its holder, and has more messages under its lock than one decision frees:
   * later decisions free the others, and until then nobody can lock it.
   *
   * @param counted whether that is a failed attempt for each of them
   */
  record SessionEnds(QueueId queue, String sessionId, boolean counted) implements Grant {}

  /**
   * A receiver waits for any session until this deadline on the monotonic clock.
   *
   * @param token as in {@link SessionLocked}
   */
  record AcceptorWaits(
      Origin receiver,
      QueueId queue,
      Ticket ticket,
      ReceiveMode mode,
      long deadlineMillis,
      SharedSession.@Nullable Token token)
      implements Grant {}

  /** A receiver waits no more. */
  record AcceptorLeft(Origin receiver, QueueId queue) implements Grant {}

  /** A receiver joined. */
  record ReceiverOpened(Origin receiver, QueueId queue, ReceiveMode mode) implements Grant {}

  /** A receiver left. */
  record ReceiverClosed(Origin receiver) implements Grant {}

  /**
   * Receivers, or waiting acceptors of sessions, will be closed in later decisions, because they
   * are more than one decision closes.
   */
  record ReceiversLeave(List<Origin> receivers, Refusal reason) implements Grant {}

  /** The first {@code count} of those are closed, as far as they were still there. */
  record ReceiversLeft(int count) implements Grant {}

  /**
   * The namespace is being emptied by this decision and later ones.
   *
   * @param asker who is answered at the end, with {@code ticket}
   * @param keepsEntities whether they are made again as they were
   * @param endNumber only queues with lower numbers are emptied: those that existed
   */
  record EmptyingBegins(Origin asker, Ticket ticket, boolean keepsEntities, int endNumber)
      implements Grant {}

  /** The first of the emptyings in progress is over. */
  record EmptyingEnds() implements Grant {}

  /**
   * Some more rules of deleted subscriptions are forgotten.
   *
   * @param cost roughly the work that it takes
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
   * @param index the index that their effect waits for
   */
  record DemandUsed(Origin receiver, int deliveries, long bytes, long index) implements Grant {}

  /** Budget came back because deliveries left, or deliveries came back undelivered. */
  record DemandReturned(Origin receiver, int undelivered, long bytes) implements Grant {}

  /** A drain was answered; the demand is used up. */
  record DrainEnded(Origin receiver) implements Grant {}

  /**
   * The chunks with these numbers were searched for expired messages; when their next message
   * expires must be computed again.
   */
  record Swept(QueueId queue, long[] sequenceNumbers) implements Grant {}

  /**
   * The chunks with these numbers were searched for due scheduled messages; when their next message
   * is due must be computed again.
   */
  record ScheduleSwept(QueueId queue, long[] sequenceNumbers) implements Grant {}

  /** What held up the scheduled messages of a topic is over. */
  record WentOn(QueueId queue) implements Grant {}

  /** The messages that a queue forwards were searched up to this number, exclusive. */
  record ForwardLooked(QueueId queue, long nextSequenceNumber) implements Grant {}

  /**
   * No scheduled message of a topic becomes active before this time; then it is tried again.
   *
   * @param untilMillis wall time, as of {@link Stamp}
   */
  record ScheduleWaits(QueueId queue, long untilMillis, Delay delay) implements Grant {}

  /** A queue forwards nothing more until this time on the monotonic clock (S-200). */
  record ForwardWaits(QueueId queue, long untilMillis, Delay delay) implements Grant {}

  /** The queues whose wait is over are searched again. */
  record ForwardsRetried(long monotonicMillis) implements Grant {}

  /**
   * An entity was used at this shard time, which ends its idle time (S-308 to S-310); for a
   * subscription that of its topic too.
   *
   * @param queue the entity, or its dead-letter queue
   * @param monotonicMillis the same time on the clock by which idle time is counted
   * @param isAccess whether clients are told so; not for what administrators do with the entity
   *     itself
   */
  record Used(QueueId queue, long atMillis, long monotonicMillis, boolean isAccess)
      implements Grant {
    /** An entity accessed at the time of the stamp. */
    public Used(QueueId queue, Stamp stamp) {
      this(queue, stamp, true);
    }

    /** An entity used at the time of the stamp. */
    public Used(QueueId queue, Stamp stamp, boolean isAccess) {
      this(queue, stamp.nowMillis(), stamp.monotonicMillis(), isAccess);
    }
  }

  /**
   * The timers of these queues were served; when the next of each is due must be computed again.
   */
  record Ticked(List<QueueId> queues) implements Grant {}

  /**
   * The next turn for due work of a kind goes to the queue with this number, or to the next higher
   * one that has any.
   */
  record NextTurn(Due due, int queueNumber) implements Grant {}

  /** The kinds of timed work, in the order in which one tick does them. */
  enum Due {
    /** Locks, and waits for a session, that end; monotonic time. */
    LAPSES,
    /** Messages that expire; shard time. */
    EXPIRIES,
    /** Scheduled messages of a queue that become active; wall time, as of {@link Stamp}. */
    SCHEDULES,
    /** Scheduled messages of a topic whose copying must read them; the same time. */
    READ_COPIES,
    /** Scheduled messages of any other topic; the same time. */
    COPIES
  }

  /** This kind of work had its turn. */
  record HadTurn(Work work) implements Grant {}

  /** Work that the machine does without a request. */
  enum Work {
    /** Locks that lapse, messages that expire, scheduled ones that are due. */
    DUE,
    /** Entities that are idle long enough. */
    IDLE,
    /** Receivers that are to be closed. */
    LEAVING,
    /** A namespace that is to be emptied. */
    EMPTYING,
    /** The remaining contents of deleted entities. */
    DELETED,
    /** Rules of deleted subscriptions. */
    RULES
  }
}
