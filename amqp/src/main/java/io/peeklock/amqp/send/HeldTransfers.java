package io.peeklock.amqp.send;

import io.peeklock.amqp.limit.ReadPauses;
import io.peeklock.amqp.link.LinkConnection;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * The transfers that a client sends on a link behind a large message that is being synced, in
 * order. While there are any the connection does not read.
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

  /** Takes the oldest, whose bytes are valid until {@code taker} returns. */
  void takeFirst(Consumer<HeldTransfer> taker) {
    var next = held.getFirst();
    var bytes = next.buffer(); // must be released, so fetched first
    held.removeFirst();
    try {
      connection.holdTransfers(-1);
      connection.holdPartial(-next.length());
      taker.accept(next);
    } finally {
      bytes.release(); // it waits no more, even after a fault
    }
  }

  /** Drops all. */
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
