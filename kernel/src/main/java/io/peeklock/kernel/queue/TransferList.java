package io.peeklock.kernel.queue;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The queues in which messages wait that go via one entity: few, and mostly none. */
final class TransferList implements Iterable<QueueState> {

  private final List<QueueState> queues = new ArrayList<>(0);

  void add(QueueState queue) {
    queues.add(queue);
  }

  void remove(QueueState queue) {
    queues.remove(queue);
  }

  @Override
  public Iterator<QueueState> iterator() {
    return queues.iterator();
  }

  /** Bytes of all they hold. */
  long bytes() {
    long bytes = 0;
    for (QueueState each : queues) {
      bytes += each.quotaBytes();
    }
    return bytes;
  }

  /** Messages on their way (S-306). */
  long waiting() {
    long waiting = 0;
    for (QueueState each : queues) {
      waiting += each.messages().active() + each.scheduled().count();
    }
    return waiting;
  }

  /** Messages that could not be moved on (S-205). */
  long deadLetters() {
    long lost = 0;
    for (QueueState each : queues) {
      MessageIndex dead = each.deadLetters().messages();
      lost += dead.active() + dead.deferred();
    }
    return lost;
  }
}
