package io.peeklock.kernel.machine;

import io.peeklock.kernel.entity.EntityStatus;
import io.peeklock.kernel.entity.MessageState;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.machine.NaiveQueue.Message;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A queue with a life, as one would write it without any thought of speed. */
final class NaiveEntity {

  /** A message whose time is still to come. */
  record Later(long number, long dueAt, long bodyId) {}

  final QueueFixture real;
  final NaiveQueue queue;
  final List<Later> later = new ArrayList<>();
  private long changedAt;
  private long usedAt;
  private long accessedAt;

  NaiveEntity(QueueFixture real, QueueDefinition definition, long now) {
    this.real = real;
    this.queue = new NaiveQueue(definition);
    this.changedAt = now;
    this.usedAt = now;
  }

  void accessed(long now) {
    usedAt = now;
    accessedAt = Math.max(accessedAt, Math.max(now, changedAt + 1));
  }

  void changed(QueueDefinition wanted, long now) {
    queue.definition = wanted;
    usedAt = now;
    changedAt = Math.max(now, changedAt + 1);
  }

  long accessedAt() {
    return accessedAt;
  }

  String path() {
    return queue.definition.path();
  }

  EntityStatus status() {
    return queue.definition.status();
  }

  void schedule(long dueAt, long bodyId) {
    later.add(new Later(queue.nextNumber++, dueAt, bodyId));
  }

  /** The oldest that are free and were enqueued before a time are gone. */
  int delete(boolean dead, int most, long before) {
    List<Message> gone =
        queue
            .all(
                dead, m -> m.lockId == 0 && m.state == MessageState.ACTIVE && m.enqueuedAt < before)
            .stream()
            .limit(most)
            .toList();
    (dead ? queue.dead : queue.messages).removeAll(gone);
    return gone.size();
  }

  /** Time has come to here; tells whether the entity is gone, because it was idle. */
  boolean tick(long now, long monotonic) {
    queue.tick(now, monotonic);
    List<Later> due =
        later.stream()
            .filter(each -> each.dueAt <= now)
            .sorted(Comparator.comparingLong(Later::dueAt).thenComparingLong(Later::number))
            .toList();
    for (Later each : due) {
      queue.send(
          now, QueueFixture.SIZE, QueueFixture.HEADER, QueueDefinition.FOREVER, each.bodyId());
      accessed(now);
    }
    later.removeAll(due);
    long limit = queue.definition.autoDeleteOnIdleMillis();
    if (limit == QueueDefinition.FOREVER || now - usedAt < limit) {
      return false;
    }
    boolean kept = usedAt == 0 || !later.isEmpty();
    usedAt = now;
    return !kept;
  }

  /** The process ended and came back. */
  void restart() {
    queue.all(false, m -> true).forEach(m -> m.lockId = 0);
    queue.all(true, m -> true).forEach(m -> m.lockId = 0);
    usedAt = 0;
    accessedAt = 0;
  }
}
