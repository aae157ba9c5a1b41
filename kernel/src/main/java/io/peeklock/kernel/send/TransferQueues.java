package io.peeklock.kernel.send;

import io.peeklock.kernel.columns.HeldMemory;
import io.peeklock.kernel.columns.StoredMemory;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.decide.EntityShare;
import io.peeklock.kernel.decide.FairShare;
import io.peeklock.kernel.decide.FanOutBudget;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueEntry;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.forward.ForwardHandler;
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
 * Where messages wait that are sent via one entity to another, when that one is full (S-305),
 * disabled (S-303), or others wait for it already; as a rule they are at their destination at once.
 * And where messages of a topic wait that has more copies to make than one decision may: its
 * backlog, from which it forwards to itself. What moves them on, or makes them transfer dead
 * letters, is {@link ForwardHandler}. One for each decision, as it knows the queues that the
 * decision makes.
 */
public final class TransferQueues {

  private final MachineState state;
  private final Stamp stamp;
  private Map<String, QueueState> made = Collections.emptyMap(); // few decisions make any
  private final FanOutBudget fanOutBudget;

  public TransferQueues(MachineState state, Stamp stamp) {
    this(state, stamp, new FanOutBudget(state));
  }

  /** Of a decision that has this budget already. */
  public TransferQueues(MachineState state, Stamp stamp, FanOutBudget fanOutBudget) {
    this.state = state;
    this.stamp = stamp;
    this.fanOutBudget = fanOutBudget;
  }

  /** The entity that a send goes via; null when it goes straight, or there is no such entity. */
  public static @Nullable QueueState via(MachineState state, Request.Send send) {
    return send.via() == null || send.via().equals(send.queue()) ? null : state.queue(send.via());
  }

  /** Why nothing can be sent to a queue, whatever it brings; null when something can. */
  public static @Nullable Refusal refusal(MachineState state, Request.Send send) {
    QueueState queue = state.queue(send.queue());
    QueueState via = via(state, send);
    // S-183: nobody sends to dead letters, nor to a subscription but its topic
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

  /** Whether a burst waits, as far as its destination judged it. */
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

  /** S-187: what waits fills the entity that it goes via. */
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

  /** The queue where messages wait, perhaps one that the draft makes. */
  public QueueState place(QueueState via, QueueState destination, DecisionBuilder draft) {
    QueueDefinition entity = via.definition();
    queue(QueueRole.Transfers.of(entity, null), draft);
    return queue(QueueRole.Transfers.of(entity, destination.definition().path()), draft);
  }

  /** How many copies all that comes to topics in the decision may make. */
  public FanOutBudget fanOutBudget() {
    return fanOutBudget;
  }

  /** Whether messages wait in a topic's backlog, or will: all that come later wait behind them. */
  boolean hasBacklog(QueueState topic) {
    String path = path(topic, topic);
    QueueState there = state.queue(path);
    return made.containsKey(path) || (there != null && there.holds());
  }

  /**
   * Whether what comes to a topic otherwise than from its senders waits in its backlog too: where
   * copies of one message may be made in parts, no other may come between them.
   */
  public boolean mustWait(QueueState topic, TopicState subscribed) {
    QueueState there = state.queue(path(topic, topic));
    return hasBacklog(topic)
        && (subscribed.subscriptions().size() > state.mostAtOnce
            || (there != null && there.copyCursor() != null));
  }

  /** Whether messages of a topic wait in a queue whose copies are still to be made. */
  public static boolean isBacklog(QueueState queue) {
    return queue.definition().role() instanceof QueueRole.Transfers transfers
        && transfers.entityPath().equals(queue.forwardPath());
  }

  /** Where messages of a topic wait for copies, perhaps a queue that the draft makes. */
  public QueueState backlog(QueueState topic, DecisionBuilder draft) {
    return place(topic, topic, draft);
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
            new HeldMemory(new StoredMemory()));
    if (made.isEmpty()) {
      made = new LinkedHashMap<>();
    }
    made.put(definition.path(), fresh);
    return fresh;
  }
}
