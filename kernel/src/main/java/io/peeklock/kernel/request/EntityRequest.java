package io.peeklock.kernel.request;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.refusal.Refusal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request about entities as a whole. */
public sealed interface EntityRequest extends Request {

  /**
   * Give the entity of this path other properties, all of them at once. Refused with {@link
   * Refusal.PropertyFixed} for those that are fixed at creation (S-067). Locks stay, and so do
   * links, unless the status forbids them (S-068, Q-13, S-427). The path keeps its case.
   */
  record UpdateQueue(Origin origin, Ticket ticket, QueueDefinition definition)
      implements EntityRequest {}

  /**
   * Delete the entity of this path with everything in it, a topic with its subscriptions (S-071).
   * The path is free at once; its receivers get {@code Effect.ReceiverEnded}.
   */
  record DeleteQueue(Origin origin, Ticket ticket, String path) implements EntityRequest {}

  /**
   * Empty the namespace, however much it holds: each entity in one step, many entities in several
   * steps between which other requests are served. Entities created meanwhile stay. All links to
   * its entities end, also to those that stay, because everything about messages begins anew:
   * sequence numbers, the duplicate history, session states, scheduled messages. Answered with
   * {@code Effect.QueueChanged}.
   *
   * @param keepsEntities whether queues, topics and subscriptions stay as they are, with their
   *     properties and rules; else they are deleted
   */
  record EmptyNamespace(Origin origin, Ticket ticket, boolean keepsEntities)
      implements EntityRequest {}

  /**
   * Delete messages without receiving them: the oldest that are available and were enqueued before
   * a time (S-411, S-415). Locked messages stay (S-414), and so do those of a session that another
   * receiver holds, which are under its lock. Answered with {@code Effect.MessagesDeleted}.
   *
   * @param most the most to delete; never more than {@link #MOST_DELETED}
   * @param enqueuedBeforeMillis those enqueued at this time or later stay
   * @param sessionId only messages of this session; null for all
   * @param holder the receiver that holds the session; null for none
   */
  record DeleteMessages(
      Origin origin,
      Ticket ticket,
      QueueId queue,
      int most,
      long enqueuedBeforeMillis,
      @Nullable String sessionId,
      @Nullable Origin holder)
      implements EntityRequest, Request.OnQueue {}

  /** The most messages that one request deletes, from any edge (S-413, R-16). */
  int MOST_DELETED = 4_000;

  /** Count what the entities hold at this moment (S-489), in one answer for all of them. */
  record CountMessages(Origin origin, Ticket ticket, List<QueueId> queues)
      implements EntityRequest {}

  /**
   * Replace the rule of the same name in one step, so that no message sees the subscription with
   * both rules or with neither. The new rule counts as created now.
   */
  record ReplaceRule(Origin origin, Ticket ticket, QueueId subscription, Rule rule)
      implements EntityRequest, Request.OnQueue {
    @Override
    public QueueId queue() {
      return subscription;
    }
  }
}
