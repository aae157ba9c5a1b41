package io.peeklock.kernel.send;

import io.peeklock.kernel.columns.HeldMemory;
import io.peeklock.kernel.columns.StoredMemory;
import io.peeklock.kernel.columns.WaitingIds;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.decide.EntityShare;
import io.peeklock.kernel.decide.FairShare;
import io.peeklock.kernel.decide.FanOutBudget;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueEntry;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.TopicState;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The transfer queues of a decision. Messages sent via one entity to another wait in one when the
 * destination is full (S-305) or disabled (S-303), or others wait for it already; usually they
 * arrive at once. A topic with more copies to make than one decision may has a backlog of this
 * kind, from which it forwards to itself; so has a queue to which a large batch came. {@code
 * ForwardHandler} moves the messages on, or makes them transfer dead letters. There is one object
 * for each decision, as it knows the queues that the decision creates.
 */
public final class TransferQueues {

  private final MachineState state;
  private final Stamp stamp;
  private Map<String, QueueState> made = Collections.emptyMap(); // few decisions create any
  private final FanOutBudget fanOutBudget;

  /** For a decision without a fan-out budget so far. */
  public TransferQueues(MachineState state, Stamp stamp) {
    this(state, stamp, new FanOutBudget(state));
  }

  /** For a decision that already has this budget. */
  public TransferQueues(MachineState state, Stamp stamp, FanOutBudget fanOutBudget) {
    this.state = state;
    this.stamp = stamp;
    this.fanOutBudget = fanOutBudget;
  }

  /** The entity that a send goes via; null when it goes straight, or there is no such entity. */
  public static @Nullable QueueState via(MachineState state, Request.Send send) {
    return send.via() == null || send.via().equals(send.queue()) ? null : state.queue(send.via());
  }

  /** Why a send to this queue is refused, whatever its messages are; null when it is not. */
  public static @Nullable Refusal refusal(MachineState state, Request.Send send) {
    QueueState queue = state.queue(send.queue());
    QueueState via = via(state, send);
    // S-183: no client sends to dead letters or to a subscription
    if (!isSentTo(queue) || (send.via() != null && state.queue(send.via()) == null)) {
      return new Refusal.EntityNotFound();
    }
    QueueState first = via == null ? queue : via;
    return first == null || first.definition().status().takesSends()
        ? null
        : new Refusal.EntityDisabled(); // S-422, S-424, S-425
  }

  private static boolean isSentTo(@Nullable QueueState queue) {
    return queue != null
        && !queue.isDeadLetterQueue()
        && queue.subscription() == null
        && !queue.isForTransfers();
  }

  /** Whether a burst must wait, after it was validated against its destination. */
  public boolean waits(
      @Nullable QueueState via, QueueState destination, SendValidation validation) {
    if (via == null) {
      return false;
    }
    QueueState before = state.queue(path(via, destination));
    return !destination.definition().status().takesSends()
        || (before != null && before.holds())
        || validation.anyTooMuch();
  }

  /**
   * Why a burst cannot wait; null when it can. Waiting messages count for the entity that they are
   * sent via (S-187).
   */
  public @Nullable Refusal refusal(QueueState via, SendBurst burst) {
    long max = via.definition().maxSizeBytes();
    long bytes = max == QueueDefinition.FOREVER ? 0 : via.quotaBytes();
    long more = 0;
    EntityShare share = FairShare.of(state, via, FairShare.OF_SENDS);
    Refusal overShare = null;
    for (int i = 0; i < burst.count(); i++) {
      more += burst.sizes()[i];
      if (share != null && overShare == null) {
        overShare = share.refusal(burst, i);
        share.take(burst, i);
      }
    }
    return more > max - bytes ? new Refusal.QuotaExceeded(bytes, max) : overShare;
  }

  /** The queue where messages wait; the draft creates it if needed. */
  public QueueState place(QueueState via, QueueState destination, DecisionBuilder draft) {
    QueueDefinition entity = via.definition();
    queue(QueueRole.Transfers.of(entity, null), draft);
    return queue(QueueRole.Transfers.of(entity, destination.definition().path()), draft);
  }

  /** The copying that this decision may do for all topics together. */
  public FanOutBudget fanOutBudget() {
    return fanOutBudget;
  }

  /** Whether messages wait in an entity's backlog, or will: later ones must wait behind them. */
  boolean hasBacklog(QueueState entity) {
    QueueState there = entity.backlog();
    return (there != null && there.holds())
        || (!made.isEmpty() && made.containsKey(path(entity, entity)));
  }

  /**
   * The ids of what waits in an entity's backlog; null when nothing does, or its ids do not matter.
   */
  static @Nullable WaitingIds waitingIds(QueueState entity) {
    QueueState there = entity.rememberedIds() == null ? null : entity.backlog();
    return there == null ? null : there.waitingIds();
  }

  /**
   * Whether messages that come to a topic by forwarding or activation must wait in its backlog too:
   * when copies of one message are made in parts, no other message may come between them.
   */
  public boolean mustWait(QueueState topic, TopicState subscribed) {
    QueueState there = topic.backlog();
    return hasBacklog(topic)
        && (subscribed.subscriptions().size() > state.mostAtOnce
            || (there != null && there.copyCursor() != null));
  }

  /** Whether a queue is the backlog of an entity. */
  public static boolean isBacklog(QueueState queue) {
    return !queue.isDeadLetterQueue() && QueueRole.Transfers.isBacklog(queue.definition());
  }

  /** The backlog of an entity; the draft creates it if needed. */
  public QueueState backlog(QueueState entity, DecisionBuilder draft) {
    return place(entity, entity, draft);
  }

  private static String path(QueueState via, QueueState destination) {
    return QueueRole.Transfers.path(via.definition().path(), destination.definition().path());
  }

  private QueueState queue(QueueDefinition definition, DecisionBuilder draft) {
    QueueState there = state.queue(definition.path());
    QueueState known = there == null ? made.get(definition.path()) : there;
    if (known != null) {
      return known;
    }
    int number = state.nextQueueNumber + 2 * made.size();
    QueueId id = new QueueId(number);
    QueueId deadLetters = new QueueId(number + 1);
    long now = stamp.nowMillis();
    draft.add(new Fact.QueueCreated(id, deadLetters, definition, now));
    QueueState fresh =
        new QueueState(
            new QueueEntry(id, deadLetters, definition, now, now),
            1,
            null,
            new HeldMemory(new StoredMemory()),
            0);
    if (made.isEmpty()) {
      made = new LinkedHashMap<>();
    }
    made.put(definition.path(), fresh);
    return fresh;
  }
}
