package io.peeklock.amqp.send;

import io.peeklock.amqp.limit.ReadPauses;
import io.peeklock.amqp.link.LinkConnection;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * What a client sends on a link behind a large message that is being synced, in order. While there
 * is any, the connection does not read.
 */
final class HeldTransfers {
  private final LinkConnection connection;
  private final ArrayDeque<HeldTransfer> held = new ArrayDeque<>();

  HeldTransfers(LinkConnection connection) {
    this.connection = connection;
  }

  boolean isEmpty() {
    return held.isEmpty();
  }

  /** Keeps a copy; false when the connection has too much half received. */
  boolean add(HeldTransfer next) {
    if (!connection.holdPartial(next.length())) {
      return false;
    }
    held.add(next.copy());
    connection.holdTransfers(1);
    connection.pause(ReadPauses.HELD);
    return true;
  }

  /** Hands the oldest over, whose bytes are good until the taker returns. */
  void takeFirst(Consumer<HeldTransfer> taker) {
    var next = held.getFirst();
    var bytes = next.buffer(); // ours to let go of before it leaves the line
    held.removeFirst();
    try {
      connection.holdTransfers(-1);
      connection.holdPartial(-next.length());
      taker.accept(next);
    } finally {
      bytes.release(); // it waits no more, whatever happened
    }
  }

  /** Lets go of all. */
  void drop() {
    try {
      while (!held.isEmpty()) {
        takeFirst(dropped -> {});
      }
      connection.resume(ReadPauses.HELD);
    } finally {
      held.forEach(left -> left.buffer().release()); // after a fault, which ends the connection
      held.clear();
    }
  }
}
