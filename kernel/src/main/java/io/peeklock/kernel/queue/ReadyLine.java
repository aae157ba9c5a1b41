package io.peeklock.kernel.queue;

import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The queues that have something to dispatch, in turns. Those that only lack {@link DeliveryRoom}
 * stand aside until there is more of it, so that nobody looks at them in vain. Volatile.
 */
final class ReadyLine {

  private final DeliveryRoom room;
  private final ArrayDeque<QueueState> ready = new ArrayDeque<>();
  private final Set<QueueState> aside = new LinkedHashSet<>();
  private DeliveryRoom.Level level = DeliveryRoom.Level.AMPLE;

  ReadyLine(DeliveryRoom room) {
    this.room = room;
  }

  /** A queue has changed, or with it the room: whose turn it is may be another's now. */
  void refresh(QueueState queue) {
    if (queue.wantsDispatch() && !queue.isListed) {
      queue.isListed = true;
      ready.addLast(queue);
    } else if (queue.isListed && mayComeBack(queue) && aside.remove(queue)) {
      ready.addLast(queue);
    }
    DeliveryRoom.Level before = level;
    level = room.level();
    if (level.compareTo(before) > 0) {
      ready.addAll(aside);
      aside.clear();
    }
    settle();
  }

  private boolean mayComeBack(QueueState queue) {
    return !aside.isEmpty() && (!queue.wantsDispatch() || DispatchHandler.canGoOn(queue, room));
  }

  /** The first of the line has something to do, and can do it. */
  private void settle() {
    for (QueueState first = ready.peek(); first != null; first = ready.peek()) {
      if (!first.wantsDispatch()) {
        ready.removeFirst();
        first.isListed = false;
      } else if (DispatchHandler.canGoOn(first, room)) {
        return;
      } else {
        aside.add(ready.removeFirst());
        room.holdUp();
      }
    }
  }

  /** The queue whose turn it is to dispatch, null when none can. */
  @Nullable QueueState first() {
    return ready.peek();
  }

  /** Puts a queue at the end of the line once it had its turn. */
  void hadItsTurn(QueueState queue) {
    if (ready.peek() == queue) {
      ready.addLast(ready.removeFirst());
    }
  }
}
