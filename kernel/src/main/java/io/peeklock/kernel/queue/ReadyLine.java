package io.peeklock.kernel.queue;

import io.peeklock.kernel.queue.DeliveryRoom.Level;

/**
 * The queues that have something to dispatch, in turns. Each stands in the line of the {@link
 * DeliveryRoom} that it needs to go on, with the turn that it has among all: when there is more
 * room or less, other lines are looked at, and no queue is moved, however many wait. Volatile.
 */
final class ReadyLine {

  private final DeliveryRoom room;
  private final TurnOrder without = new TurnOrder();
  private final TurnOrder scarce = new TurnOrder();
  private final TurnOrder ample = new TurnOrder();
  private long turns;

  ReadyLine(DeliveryRoom room) {
    this.room = room;
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
      if (needs != null) {
        line(needs).set(queue.id().number(), queue.turn);
      }
      queue.needsRoom = needs;
    }
    boolean waits = needs != null && needs.compareTo(room.level()) > 0;
    if (waits && !queue.waitsForRoom) {
      room.holdUp();
    }
    queue.waitsForRoom = waits;
  }

  private TurnOrder line(Level needs) {
    return switch (needs) {
      case NONE -> without;
      case SCARCE -> scarce;
      case AMPLE -> ample;
    };
  }

  /** The number of the queue whose turn it is to dispatch, 0 when none can. */
  int first() {
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
      line(needs).set(queue.id().number(), queue.turn);
    }
  }
}
