package io.peeklock.runtime;

import io.peeklock.kernel.Fact;
import io.peeklock.kernel.queue.Machine;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Shows edges the entities that are durable, as a whole, when a change becomes durable. */
final class Publication {
  private final Map<String, Catalogue.Entry> next = new HashMap<>();
  private volatile Catalogue current = Catalogue.EMPTY;
  private long changedAt;

  Catalogue current() {
    return current;
  }

  void restart(Machine machine) {
    next.clear();
    for (var queue : machine.queues()) {
      put(new Catalogue.Entry(queue.queue(), queue.deadLetterQueue(), queue.definition()));
    }
    changedAt = 0;
    current = new Catalogue(next);
  }

  void note(Fact fact, long index) {
    if (fact instanceof Fact.QueueCreated created) {
      put(new Catalogue.Entry(created.queue(), created.deadLetterQueue(), created.definition()));
      changedAt = index;
    }
  }

  void open(long durable) {
    if (changedAt != 0 && changedAt <= durable) {
      changedAt = 0;
      current = new Catalogue(next);
    }
  }

  private void put(Catalogue.Entry entry) {
    next.put(entry.definition().path().toLowerCase(Locale.ROOT), entry);
  }
}
