package io.peeklock.kernel.effect;

import io.peeklock.kernel.entity.EntityCounts;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.kernel.request.SharedSession;
import io.peeklock.kernel.request.Ticket;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message to an {@link Origin}. It waits at the gate until the log is durable up to {@link
 * #index()}, the newest fact that it shows or rests on.
 */
public sealed interface Effect {

  /** The recipient. */
  Origin to();

  /** Index of the batch that must be durable first; 0 for none. */
  long index();

  /**
   * Messages for a receiver (S-086). Index: the newest fact about any of them; for
   * receive-and-delete, the batch with their {@link Fact.Consumed} (I-07).
   *
   * @param queue that they are from
   */
  record Delivered(Origin to, long index, QueueId queue, MessageBurst messages) implements Effect {}

  /** A drain is over: the rest of the demand is given back. Comes after the last delivery. */
  record Drained(Origin to, long index) implements Effect {}

  /**
   * Answer to a send, in the order of its burst.
   *
   * @param refusals null when all were accepted; else one entry per message, null where accepted
   * @param sequenceNumbers of each, 0 for one that was not stored; null unless they were asked for
   */
  record SendAnswered(
      Origin to,
      long index,
      Ticket ticket,
      @Nullable Refusal @Nullable [] refusals,
      long @Nullable [] sequenceNumbers)
      implements Effect {
    /** An answer without sequence numbers. */
    public SendAnswered(
        Origin to, long index, Ticket ticket, @Nullable Refusal @Nullable [] refusals) {
      this(to, index, ticket, refusals, null);
    }
  }

  /** All scheduled messages of the request are gone (S-153). */
  record Cancelled(Origin to, long index, Ticket ticket) implements Effect {}

  /**
   * Answer to a settlement, in the order of its lock ids.
   *
   * @param refusals null when all were done; else one entry per lock id, null where done
   */
  record SettleAnswered(
      Origin to,
      long index,
      Ticket ticket,
      Settlement settlement,
      @Nullable Refusal @Nullable [] refusals)
      implements Effect {}

  /**
   * Answer to settlements in a transaction, in the order of their lock ids: all are enlisted, or
   * none.
   *
   * @param refusals null when all are enlisted; else one entry per lock id, null for those that are
   *     not the cause
   * @param overlayId body id of earlier changed properties of the message, when the settlement
   *     changes properties too: those of the commit must contain them; 0 for none
   */
  record Enlisted(
      Origin to, long index, Ticket ticket, @Nullable Refusal @Nullable [] refusals, long overlayId)
      implements Effect {}

  /** A transaction is committed or rolled back, as the request asked. */
  record TransactionEnded(Origin to, long index, Ticket ticket) implements Effect {}

  /**
   * The receiver holds a session until this shard time (S-243).
   *
   * @param token its lock token, for a receiver that shares it (S-516); null for any other
   */
  record SessionAccepted(
      Origin to,
      long index,
      Ticket ticket,
      String sessionId,
      long lockedUntilMillis,
      SharedSession.@Nullable Token token)
      implements Effect {}

  /**
   * The receiver lost its session and is closed.
   *
   * @param isTakenOver whether another receiver took it over (S-517); otherwise the lock ended
   *     (S-251)
   */
  record SessionLost(Origin to, long index, boolean isTakenOver) implements Effect {}

  /**
   * The state of a session.
   *
   * @param bodyId where it is stored; 0 when there is none
   */
  record SessionStateRead(Origin to, long index, Ticket ticket, long bodyId) implements Effect {}

  /** The state of a session is set. */
  record SessionStateStored(Origin to, long index, Ticket ticket) implements Effect {}

  /**
   * Ids of sessions; may be empty.
   *
   * @param skipped how many matching sessions were skipped, as asked
   * @param next where to continue when there may be more; 0 when the list is complete
   */
  record SessionsListed(
      Origin to, long index, Ticket ticket, List<String> sessionIds, int skipped, int next)
      implements Effect {}

  /** All locks of the request now end at this shard time (S-105). */
  record Renewed(Origin to, long index, Ticket ticket, long lockedUntilMillis) implements Effect {}

  /** Answer to peek; may be empty (S-224). */
  record Peeked(Origin to, long index, Ticket ticket, MessageBurst messages) implements Effect {}

  /** Deferred messages, in the order asked for (S-210). */
  record DeferredReceived(Origin to, long index, Ticket ticket, MessageBurst messages)
      implements Effect {}

  /**
   * The queue exists.
   *
   * @param created false when an equal one existed
   */
  record QueueReady(
      Origin to, long index, Ticket ticket, QueueId queue, QueueId deadLetterQueue, boolean created)
      implements Effect {}

  /** The entity is as the request asked, or deleted. */
  record QueueChanged(Origin to, long index, Ticket ticket) implements Effect {}

  /**
   * Messages were deleted without having been received (S-411).
   *
   * @param count how many; 0 when there were none to delete
   */
  record MessagesDeleted(Origin to, long index, Ticket ticket, int count) implements Effect {}

  /**
   * What the entities hold, in the order asked for; null for one that no longer exists.
   *
   * @param counts as they are at the index, which is that of the newest fact
   */
  record MessagesCounted(Origin to, long index, Ticket ticket, List<@Nullable EntityCounts> counts)
      implements Effect {}

  /**
   * The broker closed the receiver and its session: the entity is deleted (S-071) or disabled for
   * receiving (S-427). Comes after the last delivery.
   */
  record ReceiverEnded(Origin to, long index, Refusal refusal) implements Effect {}

  /** The rules of the subscription are as the request asked. */
  record RulesChanged(Origin to, long index, Ticket ticket) implements Effect {}

  /** Rules of a subscription; may be empty. */
  record RulesListed(Origin to, long index, Ticket ticket, List<Rule> rules) implements Effect {}

  /** The whole request was refused; nothing of it happened. */
  record Refused(Origin to, long index, Ticket ticket, Refusal refusal) implements Effect {}
}
