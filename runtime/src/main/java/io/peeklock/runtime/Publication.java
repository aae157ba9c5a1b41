package io.peeklock.runtime;

import io.peeklock.kernel.EntityFact;
import io.peeklock.kernel.Fact;
import io.peeklock.kernel.QueueId;
import io.peeklock.kernel.queue.Machine;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Shows edges the entities that are durable, as a whole, when a change becomes durable. */
final class Publication {
  private final Map<String, Catalogue.Entry> next = new HashMap<>();
  private final Map<QueueId, String> paths = new HashMap<>();
  private volatile Catalogue current = Catalogue.EMPTY;
  private long changedAt;

  Catalogue current() {
    return current;
  }

  void restart(Machine machine) {
    next.clear();
    paths.clear();
    for (var queue : machine.queues()) {
      put(new Catalogue.Entry(queue));
    }
    changedAt = 0;
    current = new Catalogue(next);
  }

  void note(Fact fact, long index) {
    switch (fact) {
      case Fact.QueueCreated made -> {
        put(
            new Catalogue.Entry(
                made.queue(),
                made.deadLetterQueue(),
                made.definition(),
                made.createdAtMillis(),
                made.createdAtMillis()));
        changedAt = index;
      }
      case EntityFact.QueueUpdated updated -> {
        var before = next.get(paths.get(updated.queue()));
        if (before != null) {
          put(before.updated(updated.definition(), updated.updatedAtMillis()));
          changedAt = index;
        }
      }
      case EntityFact.QueueDeleted deleted -> {
        next.remove(paths.remove(deleted.queue()));
        changedAt = index;
      }
      default -> {} // about messages
    }
  }

  void open(long durable) {
    if (changedAt != 0 && changedAt <= durable) {
      changedAt = 0;
      current = new Catalogue(next);
    }
  }

  private void put(Catalogue.Entry entry) {
    var path = entry.definition().path().toLowerCase(Locale.ROOT);
    next.put(path, entry);
    paths.put(entry.queue(), path);
  }
}
