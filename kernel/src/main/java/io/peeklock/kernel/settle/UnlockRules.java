package io.peeklock.kernel.settle;

import io.peeklock.kernel.columns.LongList;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.state.QueueState;

/**
 * Decides what becomes of messages whose delivery ends without completion: the one place for the
 * rules of.
 *
 * <ol>
 *   <li>If the end counts as a failed attempt, and it was the last: the message is dead-lettered
 *       (S-029, S-126).
 *   <li>Else, if the end returns the message and it is past its expiry: it expires (S-170).
 *   <li>Else it stays, with the fact that the handler adds.
 * </ol>
 */
public final class UnlockRules {

  private final QueueState queue;
  private final Stamp stamp;
  private final boolean counted;
  private final boolean returns;
  private final LongList staying = new LongList();
  private final LongList stayingLocks = new LongList();
  private final LongList exhausted = new LongList();
  private final LongList expired = new LongList();
  private final LongList goneLocks = new LongList();

  /**
   * Begins without messages.
   *
   * @param counted whether the end is a failed attempt
   * @param returns whether the message would be offered again; false for defer
   */
  public UnlockRules(QueueState queue, Stamp stamp, boolean counted, boolean returns) {
    this.queue = queue;
    this.stamp = stamp;
    this.counted = counted;
    this.returns = returns;
  }

  UnlockRules addAll(LockCheck held) {
    for (int i = 0; i < held.count(); i++) {
      add(held.numbers()[i], held.ids()[i]);
    }
    return this;
  }

  /** Adds a message whose lock ends. */
  public void add(long number, long lockId) {
    long place = queue.messages().find(number);
    if (counted && queue.isLastAttempt(place)) {
      exhausted.add(number);
      goneLocks.add(lockId);
    } else if (returns && queue.isExpired(place, stamp.nowMillis())) {
      expired.add(number);
      goneLocks.add(lockId);
    } else {
      staying.add(number);
      stayingLocks.add(lockId);
    }
  }

  /** Whether any message stays. */
  public boolean anyStays() {
    return !staying.isEmpty();
  }

  /** The messages that stay. */
  public long[] staying() {
    return staying.toArray();
  }

  /** The ended locks of those that stay. */
  public long[] stayingLocks() {
    return stayingLocks.toArray();
  }

  /** Adds the facts and unlocks for the messages that do not stay. */
  public void leave(DecisionBuilder draft, PropertyChange change) {
    if (!exhausted.isEmpty()) {
      draft.add(
          new Fact.DeadLettered(
              queue.id(),
              queue.deadLetters().id(),
              exhausted.toArray(),
              DeadLetterCause.MAX_DELIVERY_COUNT_EXCEEDED,
              counted,
              change.store()));
    }
    if (!expired.isEmpty()) {
      draft.add(expiry(queue, expired.toArray(), counted, change));
    }
    if (!goneLocks.isEmpty()) {
      draft.add(new Grant.Unlocked(queue.id(), goneLocks.toArray(), false));
    }
  }

  /**
   * The fact that dead-letters or drops expired messages, as the queue is defined (S-168, S-191).
   */
  public static Fact expiry(
      QueueState queue, long[] numbers, boolean counted, PropertyChange change) {
    return queue.definition().deadLetteringOnExpiration()
        ? new Fact.DeadLettered(
            queue.id(),
            queue.deadLetters().id(),
            numbers,
            DeadLetterCause.TTL_EXPIRED,
            counted,
            change.store())
        : new Fact.Expired(queue.id(), numbers);
  }
}
