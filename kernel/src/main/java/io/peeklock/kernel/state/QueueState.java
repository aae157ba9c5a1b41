package io.peeklock.kernel.state;

import io.peeklock.kernel.columns.DuplicateDetectionHistory;
import io.peeklock.kernel.columns.HeldMemory;
import io.peeklock.kernel.columns.Place;
import io.peeklock.kernel.columns.WaitingIds;
import io.peeklock.kernel.entity.QueueCounts;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueEntry;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.grant.Delay;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.grant.HeldUp;
import io.peeklock.kernel.request.Stamp;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One queue, or one dead-letter queue, which is a queue with other rules: no expiry, no maximum of
 * attempts, no way to die again (S-176, S-185, S-186).
 */
public final class QueueState {

  private final QueueId id;
  private final boolean isDeadLetterQueue;
  private final QueueState partner; // a queue's dead-letter queue, and the reverse
  private final boolean expires; // what is in it
  private final MessageIndex messages;
  private final @Nullable SessionTable sessions;
  private final ScheduledMessages scheduled;
  private QueueDefinition definition; // a dead-letter queue has its queue's
  private final long createdAtMillis;
  private long updatedAtMillis;
  private final LastUse lastUse = new LastUse();
  private boolean isDeleted;
  private @Nullable DuplicateDetectionHistory rememberedIds;
  private final @Nullable WaitingIds waitingIds; // of a backlog
  private @Nullable TopicState topic;
  private @Nullable SubscriptionState subscription;
  private final DeadlineList locks = new DeadlineList();
  private final Demand demand = new Demand();
  private long nextSequenceNumber;
  private @Nullable CopyCursor copyCursor;
  public final HeldMemory held;
  public final List<QueueState> transfers =
      new ArrayList<>(0); // waits via it; few, and mostly none
  public final ReceiverList receivers = new ReceiverList();
  public @Nullable DeliveryBudgetLevel needsRoom; // to dispatch; null when there is nothing to
  boolean waitsForRoom; // it lacks the room that it needs
  public boolean isStarved; // waits for it with nothing under way
  boolean standsAside; // as it has its share
  boolean standsToDrain; // even without any room
  public long underWay; // bytes to all its receivers, as they count in the room
  public int snapshot; // the newest that has described it
  long turn; // to dispatch, among the queues that have something to
  public @Nullable Delay delay; // of messages that move by themselves; null while they go on
  boolean isInForwardLine;
  long forwardsFromMillis = Long.MIN_VALUE; // later than that while it waits for its destination

  /**
   * A queue with its dead-letter queue.
   *
   * @param nextSequenceNumber the number that the next message gets
   * @param feeding the topic that feeds it; null unless it is a subscription
   * @param held the memory account that it counts for
   * @param idKey decides where the message ids are that it remembers, and nothing else
   */
  public QueueState(
      QueueEntry entry,
      long nextSequenceNumber,
      @Nullable TopicState feeding,
      HeldMemory held,
      long idKey) {
    this.id = entry.queue();
    this.definition = entry.definition();
    this.createdAtMillis = entry.createdAtMillis();
    this.updatedAtMillis = entry.updatedAtMillis();
    this.isDeadLetterQueue = false;
    this.held = held;
    this.sessions = definition.requiresSession() ? new SessionTable(held) : null;
    this.expires = !QueueRole.Transfers.isBacklog(definition);
    this.messages = new MessageIndex(expires, sessions, held);
    this.scheduled = new ScheduledMessages(sessions, held);
    this.rememberedIds =
        definition.duplicateWindowMillis() == 0
            ? null
            : new DuplicateDetectionHistory(definition.duplicateWindowMillis(), held, idKey);
    this.waitingIds = expires ? null : new WaitingIds(held);
    this.nextSequenceNumber = nextSequenceNumber;
    this.partner = new QueueState(entry.deadLetterQueue(), this);
    this.topic =
        definition.role() instanceof QueueRole.Topic role
            ? new TopicState(role.filteringBeforePublishing(), held.all())
            : null;
    this.subscription =
        feeding != null && definition.role() instanceof QueueRole.Subscription role
            ? feeding.add(this, role.deadLetteringOnFilterErrors())
            : null;
  }

  private QueueState(QueueId id, QueueState parent) {
    this.id = id;
    this.definition = parent.definition;
    this.createdAtMillis = 0; // its queue knows
    this.isDeadLetterQueue = true;
    this.held = parent.held;
    this.sessions = null; // the dead letters of sessions are received without
    this.expires = false;
    this.messages = new MessageIndex(false, null, held);
    this.scheduled = new ScheduledMessages(null, held);
    this.rememberedIds = null;
    this.waitingIds = null;
    this.partner = parent;
    this.topic = null;
    this.subscription = null;
  }

  public QueueId id() {
    return id;
  }

  /** Its definition; a dead-letter queue has that of its queue. */
  public QueueDefinition definition() {
    return isDeadLetterQueue ? partner.definition : definition;
  }

  /**
   * Whether a message that came at this time may have met other properties than there are now. One
   * that was for later met those of when it was scheduled, which is not known: so every update
   * counts. One in the millisecond of the creation leaves no trace.
   */
  public boolean mayHaveBeenOtherwise(long atMillis) {
    QueueState parent = isDeadLetterQueue ? partner : this;
    return parent.updatedAtMillis > parent.createdAtMillis || atMillis <= parent.updatedAtMillis;
  }

  /** Changes the properties that are not fixed at creation. */
  void update(QueueDefinition wanted, long atMillis) {
    if (rememberedIds != null) {
      rememberedIds.changeWindow(wanted.duplicateWindowMillis(), atMillis);
    }
    if (topic != null && wanted.role() instanceof QueueRole.Topic role) {
      topic.refuseUnmatched(role.filteringBeforePublishing());
    }
    if (subscription != null && wanted.role() instanceof QueueRole.Subscription role) {
      subscription.deadLetterFailures(role.deadLetteringOnFilterErrors());
    }
    definition = wanted;
    updatedAtMillis = atMillis;
  }

  /** Marks the queue as deleted; its contents stay, its topic must have been left already. */
  void delete() {
    isDeleted = true;
    partner.isDeleted = true;
    subscription = null;
    topic = null;
    rememberedIds = null;
    copyCursor = null;
  }

  /** Whether it is deleted; it exists until it is emptied. */
  public boolean isDeleted() {
    return isDeleted;
  }

  /** Whether it holds nothing any more, dead letters and session states included. */
  public boolean isEmptied() {
    return messages.active() + messages.deferred() == 0
        && scheduled.count() == 0
        && partner.messages.active() + partner.messages.deferred() == 0
        && (sessions == null || sessions.states() == 0);
  }

  public boolean isDeadLetterQueue() {
    return isDeadLetterQueue;
  }

  /** Its dead-letter queue; must not be called on a dead-letter queue. */
  public QueueState deadLetters() {
    return partner;
  }

  public MessageIndex messages() {
    return messages;
  }

  /** The scheduled messages; none in a dead-letter queue. */
  public ScheduledMessages scheduled() {
    return scheduled;
  }

  /** Its message sessions; null when it has none. */
  public @Nullable SessionTable sessions() {
    return sessions;
  }

  /** The ids of messages that came within the window; null when duplicates are not detected. */
  public @Nullable DuplicateDetectionHistory rememberedIds() {
    return rememberedIds;
  }

  /** Its subscriptions and rules as a topic; null when it is no topic. */
  public @Nullable TopicState topic() {
    return topic;
  }

  /** Its topic and rules as a subscription; null when it is no subscription. */
  public @Nullable SubscriptionState subscription() {
    return subscription;
  }

  public DeadlineList locks() {
    return locks;
  }

  public Demand demand() {
    return demand;
  }

  /** The number that the next message gets. */
  public long nextSequenceNumber() {
    return nextSequenceNumber;
  }

  /** Sets the number that the next message gets. */
  public void numbersUsedUpTo(long next) {
    nextSequenceNumber = next;
  }

  /**
   * Remembers the ids of messages; null for none. Those in a backlog are not compared with earlier
   * ones yet, and are told before the messages have used their numbers.
   */
  public void remember(long @Nullable [] hashes, long arrivedAtMillis) {
    if (rememberedIds != null && hashes != null) {
      rememberedIds.addAll(hashes, arrivedAtMillis);
    } else if (waitingIds != null) {
      waitingIds.came(hashes, nextSequenceNumber);
    }
  }

  /** Messages were restored; a checkpoint does not have the ids of those in a backlog. */
  public void restored() {
    if (waitingIds != null) {
      waitingIds.unknown(nextSequenceNumber);
    }
  }

  /** The ids of what waits in a backlog; null of all others, and when nothing waits. */
  public @Nullable WaitingIds waitingIds() {
    return holds() ? waitingIds : null;
  }

  /** Forgets the ids of a backlog's messages that wait no more. */
  void forgetWaitingIds() {
    if (waitingIds != null && !holds()) {
      waitingIds.clear();
    } else if (waitingIds != null && messages.chunks().size() > 0) {
      waitingIds.left(messages.chunks().firstNumber(0));
    }
  }

  /**
   * How far the first message of a topic's backlog is copied; null when none is partly copied, also
   * after that message left in another way.
   */
  public @Nullable CopyCursor copyCursor() {
    CopyCursor cursor = copyCursor;
    return cursor == null || messages.find(cursor.message()) == Place.NONE ? null : cursor;
  }

  /** Sets how far a message is copied; null when it is copied completely. */
  public void copiedUpTo(@Nullable CopyCursor cursor) {
    copyCursor = cursor;
  }

  /** The bytes that count towards the quota, dead letters included (S-187). */
  public long quotaBytes() {
    return messages.bytes()
        + scheduled.bytes()
        + (sessions == null ? 0 : sessions.stateBytes())
        + (topic == null ? 0 : topic.bytes())
        + partner.messages.bytes()
        + transferBytes();
  }

  private long transferBytes() {
    long bytes = 0;
    for (QueueState each : transfers) {
      bytes += each.quotaBytes();
    }
    return bytes;
  }

  /** Where its own messages wait for their turn to arrive; null before any did. */
  public @Nullable QueueState backlog() {
    for (QueueState each : transfers) {
      if (each.waitingIds != null) {
        return each;
      }
    }
    return null;
  }

  /** Whether it is a transfer queue. */
  public boolean isForTransfers() {
    return definition().role() instanceof QueueRole.Transfers;
  }

  /** Whether it holds any message, without dead letters. */
  public boolean holds() {
    return messages.active() + messages.deferred() + scheduled.count() > 0;
  }

  /**
   * Whether a message is expired. Nothing expires in a dead-letter queue (S-176), or in the backlog
   * of a topic: each subscription has rules of its own for what expires.
   */
  public boolean isExpired(long place, long nowMillis) {
    return expires && messages.chunk(place).expiresAtMillis(Place.row(place)) <= nowMillis;
  }

  /** Whether one more failed attempt is the last. A dead-letter queue has no maximum. */
  public boolean isLastAttempt(long place) {
    return !isDeadLetterQueue
        && messages.chunk(place).deliveryCount(Place.row(place)) + 1
            >= definition.maxDeliveryCount();
  }

  /** No scheduled message becomes active before this time. */
  public long dueBound() {
    boolean waits = topic != null && !definition.status().takesSends(); // S-158
    return waits ? QueueDefinition.FOREVER : scheduled.dueBound();
  }

  /** Whether dispatch has something to do here. */
  public boolean wantsDispatch() {
    if (isDeleted || !definition().status().letsReceive()) {
      return false; // its receivers are being closed
    }
    if (sessions != null) {
      return sessions.wantsDispatch();
    }
    return messages.available() > 0
        ? demand.isServable() || demand.hasIdleDrains()
        : demand.hasDrains();
  }

  /** The path that its messages are forwarded to (S-285, S-197); null when they are not. */
  public @Nullable String forwardPath() {
    return isDeadLetterQueue ? definition().forwardDeadLettersTo() : definition.forwardTo();
  }

  /** What of it cannot go on by itself; null when all goes on, or there is nothing to move. */
  public @Nullable HeldUp heldUp() {
    Delay now = delay;
    if (now == null || isDeleted) {
      return null;
    }
    String path = definition().path();
    if (topic != null) {
      return new HeldUp(HeldUp.Kind.SCHEDULED, path, null, now);
    }
    String destination = forwardPath();
    if (definition().role() instanceof QueueRole.Transfers transfers) {
      String via = transfers.entityPath();
      return QueueRole.Transfers.isBacklog(definition())
          ? new HeldUp(HeldUp.Kind.COPIES, via, null, now)
          : new HeldUp(HeldUp.Kind.TRANSFERS, via, destination, now);
    }
    HeldUp.Kind kind = isDeadLetterQueue ? HeldUp.Kind.DEAD_LETTERS : HeldUp.Kind.FORWARDED;
    return new HeldUp(kind, path, destination, now);
  }

  /** The last use of the entity, of its queue or its dead-letter queue. */
  public LastUse lastUse() {
    return isDeadLetterQueue ? partner.lastUse : lastUse;
  }

  /** Whether a use at this time is noted already. */
  public boolean isUseKnown(Stamp stamp, boolean isAccess) {
    QueueState owner = isDeadLetterQueue ? partner : this;
    long accessed = owner.lastUse.accessedMillis();
    return owner.lastUse.isAfter(stamp)
        && (!isAccess || (accessed >= stamp.nowMillis() && accessed > owner.updatedAtMillis));
  }

  /** Notes that the entity was used. */
  public void use(Grant.Used used) {
    QueueState owner = isDeadLetterQueue ? partner : this;
    owner.lastUse.note(used, owner.updatedAtMillis);
  }

  /** When clients are told that it was last accessed; 0 for not since the start. */
  public long accessedAtMillis() {
    return Math.max(lastUse().accessedMillis(), subscription == null ? 0 : createdAtMillis);
  }

  /** When its next change is: each is told as later than the one before. */
  public long nextChangeMillis(long nowMillis) {
    return Math.max(nowMillis, updatedAtMillis + 1);
  }

  /** The earliest time at which it may be idle long enough (S-307). */
  public long idleBound() {
    long limit = definition.autoDeleteOnIdleMillis();
    if (isDeadLetterQueue
        || isDeleted
        || limit >= QueueDefinition.FOREVER - lastUse.monotonicMillis()) {
      return QueueDefinition.FOREVER;
    }
    return lastUse.isKnown() ? lastUse.monotonicMillis() + limit : Long.MIN_VALUE;
  }

  public QueueEntry entry() {
    return new QueueEntry(id, partner.id, definition, createdAtMillis, updatedAtMillis);
  }

  public QueueCounts counts() {
    return new QueueCounts(
        messages.active(),
        messages.deferred(),
        locks.count(),
        isDeadLetterQueue ? 0 : partner.messages.active() + partner.messages.deferred(),
        scheduled.count(),
        isDeadLetterQueue ? messages.bytes() : quotaBytes());
  }
}
