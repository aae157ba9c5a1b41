package io.peeklock.kernel.queue;

import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.queue.DeliveryRoom.Level;
import org.jspecify.annotations.Nullable;

/**
 * The queues that have something to dispatch, in turns. Each stands in the line of the {@link
 * DeliveryRoom} that it needs to go on, with the turn that it has among all: when there is more
 * room or less, other lines are looked at, and no queue is moved, however many wait. One that has
 * as many locks as it may stands aside, and comes back when there are more for it. Volatile.
 */
final class ReadyLine {

  private final DeliveryRoom room;
  private final TurnOrder without = new TurnOrder();
  private final TurnOrder scarce = new TurnOrder();
  private final TurnOrder ample = new TurnOrder();

  /** Those that stand aside, by the locks that they have. */
  private final DueOrder aside = new DueOrder();

  private final LockTable locks;
  private final Entities entities;
  private long turns;

  ReadyLine(DeliveryRoom room, LockTable locks, Entities entities) {
    this.room = room;
    this.locks = locks;
    this.entities = entities;
  }

  /** A queue has changed: it may have something to dispatch now, or need other room for it. */
  void refresh(QueueState queue) {
    Level needs = queue.wantsDispatch() ? DispatchHandler.needs(queue) : null;
    if (needs != queue.needsRoom) {
      if (queue.needsRoom == null) {
        queue.turn = ++turns;
      } else {
        line(queue.needsRoom).set(queue.id().number(), Long.MAX_VALUE);
      }
      queue.needsRoom = needs;
      stand(queue);
    } else if (queue.waitsForLocks) {
      stand(queue); // it may have fewer now
    }
    boolean waits = needs != null && needs.compareTo(room.level()) > 0;
    if (waits && !queue.waitsForRoom) {
      room.holdUp();
    }
    queue.waitsForRoom = waits;
  }

  /** Puts a queue in its line or aside, or, where it needs nothing, nowhere. */
  private void stand(QueueState queue) {
    int number = queue.id().number();
    boolean waits = isToWaitForLocks(queue);
    aside.set(number, waits ? queue.locks().count() : Long.MAX_VALUE);
    queue.waitsForLocks = waits;
    Level needs = queue.needsRoom;
    if (needs != null) {
      line(needs).set(number, waits ? Long.MAX_VALUE : queue.turn);
    }
  }

  /** What needs no room needs no locks either: ends of drains, and sessions for who takes any. */
  private boolean isToWaitForLocks(QueueState queue) {
    Level needs = queue.needsRoom;
    return needs != null && needs != Level.NONE && locks.roomFor(queue.locks()) == 0;
  }

  private TurnOrder line(Level needs) {
    return switch (needs) {
      case NONE -> without;
      case SCARCE -> scarce;
      case AMPLE -> ample;
    };
  }

  /** The queue whose turn it is to dispatch, null when none can. */
  @Nullable QueueState first() {
    letOneBack();
    QueueState first = entities.at(firstInLine());
    while (first != null && isToWaitForLocks(first)) {
      stand(first);
      first = entities.at(firstInLine());
    }
    return first;
  }

  /** One at a time: it may take what has become free, and all others were let back for nothing. */
  private void letOneBack() {
    for (int number : aside.due(locks.mostForMore(), 1)) {
      aside.goOnFrom(number + 1);
      stand(Invariant.present(entities.at(number), "who waits is there"));
    }
  }

  /** 0 for none. */
  private int firstInLine() {
    Level level = room.level();
    TurnOrder first = without;
    if (level != Level.NONE) {
      first = earlier(first, scarce);
    }
    if (level == Level.AMPLE) {
      first = earlier(first, ample);
    }
    return first.firstQueue();
  }

  private static TurnOrder earlier(TurnOrder one, TurnOrder other) {
    return other.first() < one.first() ? other : one;
  }

  /** Puts a queue behind all others once it had its turn. */
  void hadItsTurn(QueueState queue) {
    Level needs = queue.needsRoom;
    if (needs != null) {
      queue.turn = ++turns;
      stand(queue);
    }
  }
}
