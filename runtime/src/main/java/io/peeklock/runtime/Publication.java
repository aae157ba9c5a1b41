package io.peeklock.runtime;

import io.peeklock.kernel.EntityFact;
import io.peeklock.kernel.Fact;
import io.peeklock.kernel.QueueId;
import io.peeklock.kernel.queue.Machine;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Shows edges the entities that are durable, as a whole, when a change becomes durable. What was
 * decided later waits for its own turn: who is told that an entity is there finds it here, however
 * many others are on their way to the disk.
 */
final class Publication {
  private final Map<String, Catalogue.Entry> next = new HashMap<>();
  private final Map<QueueId, String> paths = new HashMap<>();
  private final ArrayDeque<Change> waiting = new ArrayDeque<>();
  private volatile Catalogue current = Catalogue.EMPTY;

  /** A fact about an entity, in the batch of this index. */
  private record Change(Fact fact, long index) {}

  Catalogue current() {
    return current;
  }

  void restart(Machine machine) {
    next.clear();
    paths.clear();
    waiting.clear();
    for (var queue : machine.queues()) {
      put(new Catalogue.Entry(queue));
    }
    current = new Catalogue(next);
  }

  void note(Fact fact, long index) {
    switch (fact) {
      case Fact.QueueCreated made -> waiting.add(new Change(made, index));
      case EntityFact.QueueUpdated updated -> waiting.add(new Change(updated, index));
      case EntityFact.QueueDeleted deleted -> waiting.add(new Change(deleted, index));
      default -> {} // about messages
    }
  }

  void open(long durable) {
    var changed = false;
    for (var first = waiting.peek(); first != null && first.index() <= durable; ) {
      apply(first.fact());
      waiting.remove();
      first = waiting.peek();
      changed = true;
    }
    if (changed) {
      current = new Catalogue(next);
    }
  }

  private void apply(Fact fact) {
    switch (fact) {
      case Fact.QueueCreated made ->
          put(
              new Catalogue.Entry(
                  made.queue(),
                  made.deadLetterQueue(),
                  made.definition(),
                  made.createdAtMillis(),
                  made.createdAtMillis()));
      case EntityFact.QueueUpdated updated -> {
        var before = next.get(paths.get(updated.queue()));
        if (before != null) {
          put(before.updated(updated.definition(), updated.updatedAtMillis()));
        }
      }
      case EntityFact.QueueDeleted deleted -> next.remove(paths.remove(deleted.queue()));
      default -> throw new IllegalStateException("only changes of entities wait here");
    }
  }

  private void put(Catalogue.Entry entry) {
    var path = entry.definition().path().toLowerCase(Locale.ROOT);
    next.put(path, entry);
    paths.put(entry.queue(), path);
  }
}
