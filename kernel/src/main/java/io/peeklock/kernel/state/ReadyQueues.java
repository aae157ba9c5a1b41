package io.peeklock.kernel.state;

import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.columns.TurnOrder;
import org.jspecify.annotations.Nullable;

/**
 * The queues that have something to dispatch, in turns. Each is in the line of the {@link
 * DeliveryBudgetLevel} that it needs, with its turn among all queues: when the room changes other
 * lines are read, and no queue is moved, however many wait. A queue that has its share of locks or
 * of bytes in flight stands aside until it may have more. Volatile.
 */
public final class ReadyQueues {

  /**
   * The most queues moved aside or back at a time: thousands at once would hold the shard for long.
   */
  private static final int MOST_MOVED = 1_024;

  private final DeliveryBudget room;
  private final TurnOrder without = new TurnOrder();
  private final TurnOrder scarce = new TurnOrder();
  private final TurnOrder ample = new TurnOrder();

  /** Queues of the last two lines with drains, which end when there is no room. */
  private final TurnOrder draining = new TurnOrder();

  /** Queues that stand aside for lack of locks, by the locks that they have. */
  private final ThrottledQueues forLocks = new ThrottledQueues();

  /** Queues that stand aside for lack of room, by their bytes in flight. */
  private final ThrottledQueues forRoom = new ThrottledQueues();

  private final LockTable locks;
  private final Entities entities;
  private long turns;
  private boolean movesOn;

  ReadyQueues(DeliveryBudget room, LockTable locks, Entities entities) {
    this.room = room;
    this.locks = locks;
    this.entities = entities;
  }

  /** Updates a queue's place after it changed. */
  void refresh(QueueState queue) {
    DeliveryBudgetLevel needs = needs(queue);
    if (needs != queue.needsRoom) {
      if (queue.needsRoom == null) {
        queue.turn = ++turns;
      } else {
        line(queue.needsRoom).set(queue.id().number(), Long.MAX_VALUE);
      }
      queue.needsRoom = needs;
      stand(queue);
    } else if (queue.standsAside || queue.standsToDrain != drains(queue) || isToStandAside(queue)) {
      stand(queue);
    }
    boolean waits = needs != null && (needs.compareTo(room.level()) > 0 || wantsRoom(queue));
    if (waits && !queue.waitsForRoom) {
      room.holdUp();
    }
    queue.waitsForRoom = waits;
    noteStarved(queue, waits && queue.underWay == 0 && !wantsLocks(queue));
  }

  private void noteStarved(QueueState queue, boolean is) {
    if (queue.isStarved != is) {
      queue.isStarved = is;
      room.starves(is ? 1 : -1);
    }
  }

  private @Nullable DeliveryBudgetLevel needs(QueueState queue) {
    if (!queue.wantsDispatch()) {
      return null;
    }
    return hasDrains(queue) && !room.isFor(queue)
        ? DeliveryBudgetLevel.NONE // its drains end
        : NextDelivery.needs(queue, locks.roomFor(queue.locks()) > 0);
  }

  /** Puts a queue in its line or aside, or nowhere if it has nothing to dispatch. */
  private void stand(QueueState queue) {
    int number = queue.id().number();
    DeliveryBudgetLevel needs = queue.needsRoom;
    forLocks.set(number, wantsLocks(queue) ? needs : null, queue.locks().count());
    forRoom.set(number, wantsRoom(queue) ? needs : null, room.asks(queue));
    queue.standsAside = isToStandAside(queue);
    boolean drains = drains(queue);
    if (drains || queue.standsToDrain) {
      draining.set(number, drains ? queue.turn : Long.MAX_VALUE);
      queue.standsToDrain = drains;
    }
    if (needs != null) {
      line(needs).set(number, queue.standsAside ? Long.MAX_VALUE : queue.turn);
    }
  }

  private boolean isToStandAside(QueueState queue) {
    return wantsLocks(queue) || wantsRoom(queue);
  }

  private boolean wantsLocks(QueueState queue) {
    return delivers(queue)
        && locks.roomFor(queue.locks()) == 0
        && (queue.sessions() != null || !queue.demand().isServableWithoutLock());
  }

  private boolean wantsRoom(QueueState queue) {
    return delivers(queue) && !room.isFor(queue);
  }

  private static boolean drains(QueueState queue) {
    return delivers(queue) && hasDrains(queue);
  }

  /** Whether a draining receiver could get a message, or a drain can end. */
  public static boolean hasDrains(QueueState queue) {
    return queue.sessions() == null
        ? queue.demand().hasDrains()
        : queue.sessions().turns().hasDraining();
  }

  /**
   * Whether it delivers messages. Ending drains and offering sessions needs neither room nor locks.
   */
  private static boolean delivers(QueueState queue) {
    DeliveryBudgetLevel needs = queue.needsRoom;
    return needs != null && needs != DeliveryBudgetLevel.NONE;
  }

  private TurnOrder line(DeliveryBudgetLevel needs) {
    return switch (needs) {
      case NONE -> without;
      case SCARCE -> scarce;
      case AMPLE -> ample;
    };
  }

  /** The queue whose turn it is to dispatch; null when none can, or while {@link #movesOn}. */
  @Nullable QueueState first() {
    boolean moved = letOneBack();
    int left = MOST_MOVED;
    QueueState first = entities.at(firstInLine());
    while (left > 0 && (first == null ? moved || letOneBack() : isElsewhereNow(first))) {
      moved = false;
      left--;
      first = entities.at(firstInLine());
    }
    movesOn = left == 0;
    return movesOn ? null : first;
  }

  /** Whether queues are still to be moved before it is known whose turn it is. */
  boolean movesOn() {
    return movesOn;
  }

  /** Whether others have taken what the queue needs since it got its place; then it moves. */
  private boolean isElsewhereNow(QueueState first) {
    if (first.needsRoom == needs(first) && !isToStandAside(first)) {
      return false;
    }
    refresh(first);
    return true;
  }

  /**
   * Lets one queue back at a time: it may use up what became free, which would send others aside
   * again.
   */
  private boolean letOneBack() {
    DeliveryBudgetLevel level = room.level();
    int next = forLocks.next(level, locks.mostForMore());
    if (next == 0) {
      next = forRoom.next(level, room.mostForMore());
    }
    if (next == 0) {
      return false;
    }
    stand(Invariant.present(entities.at(next), "who waits is there"));
    return true;
  }

  /** The number of the queue whose turn is first, 0 for none. */
  private int firstInLine() {
    DeliveryBudgetLevel level = room.level();
    TurnOrder first = earlier(without, level == DeliveryBudgetLevel.NONE ? draining : scarce);
    if (level == DeliveryBudgetLevel.AMPLE) {
      first = earlier(first, ample);
    }
    return first.firstQueue();
  }

  private static TurnOrder earlier(TurnOrder one, TurnOrder other) {
    return other.first() < one.first() ? other : one;
  }

  /** Moves a queue behind all others after its turn. */
  void hadItsTurn(QueueState queue) {
    DeliveryBudgetLevel needs = queue.needsRoom;
    if (needs != null) {
      queue.turn = ++turns;
      stand(queue);
    }
  }
}
