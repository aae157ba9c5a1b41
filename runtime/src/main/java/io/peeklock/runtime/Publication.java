package io.peeklock.runtime;

import io.peeklock.kernel.EntityFact;
import io.peeklock.kernel.Fact;
import io.peeklock.kernel.QueueEntry;
import io.peeklock.kernel.QueueId;
import io.peeklock.kernel.QueueRole;
import io.peeklock.kernel.queue.Machine;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Shows edges the entities that are durable, as a whole, when a change becomes durable. What was
 * decided later waits for its own turn: who is told that an entity is there finds it here, however
 * many others are on their way to the disk.
 */
final class Publication {
  private final Map<String, Catalogue.Entry> shown = new HashMap<>();
  private final Map<String, Catalogue.Entry> newest = new HashMap<>();
  private final Map<QueueId, String> paths = new HashMap<>();
  private final ArrayDeque<Change> changes = new ArrayDeque<>();
  private final List<Runnable> watchers = new CopyOnWriteArrayList<>();
  private volatile Catalogue current = Catalogue.EMPTY;
  private boolean isNews;

  /** What is at a path, null for nothing, once this index is durable. */
  private record Change(long index, String path, Catalogue.@Nullable Entry entry) {}

  Catalogue current() {
    return current;
  }

  void restart(Machine machine) {
    newest.clear();
    paths.clear();
    changes.clear();
    for (var queue : machine.queues()) {
      put(new Catalogue.Entry(queue, machine.rules(queue.queue())));
    }
    shown.clear();
    shown.putAll(newest);
    current = new Catalogue(shown);
  }

  /** Something is true; the machine knows it already. */
  void note(Fact fact, long index, Machine machine) {
    switch (fact) {
      case Fact.QueueCreated made -> {
        var queue =
            new QueueEntry(
                made.queue(),
                made.deadLetterQueue(),
                made.definition(),
                made.createdAtMillis(),
                made.createdAtMillis());
        change(index, put(new Catalogue.Entry(queue, 0)));
      }
      case EntityFact.QueueUpdated updated -> {
        var before = of(updated.queue());
        if (before != null) {
          change(index, put(before.updated(updated.definition(), updated.updatedAtMillis())));
        }
      }
      case EntityFact.QueueDeleted deleted -> {
        var gone = of(deleted.queue());
        if (gone != null) {
          var path = Objects.requireNonNull(paths.remove(deleted.queue()));
          newest.remove(path);
          changes.add(new Change(index, path, null));
          countRules(gone, index, machine);
        }
      }
      case Fact.RuleAdded added -> countRules(of(added.subscription()), index, machine);
      case Fact.RuleRemoved removed -> countRules(of(removed.subscription()), index, machine);
      default -> {} // about messages
    }
  }

  private void countRules(Catalogue.@Nullable Entry entry, long index, Machine machine) {
    if (entry == null
        || !(entry.definition().role() instanceof QueueRole.Subscription subscription)) {
      return;
    }
    var topic = newest.get(subscription.topicPath().toLowerCase(Locale.ROOT));
    if (topic != null) {
      change(index, put(topic.withRules(machine.rules(topic.queue()))));
    }
  }

  /** S-312: nobody asks for what time deletes. Before these facts are noted. */
  void tellOfIdle(List<Fact> decided, ShardListener listener) {
    for (var fact : decided) {
      if (fact instanceof EntityFact.QueueDeleted deleted) {
        var entry = of(deleted.queue());
        listener.idleDeleted(entry == null ? "" : entry.definition().path());
      }
    }
  }

  /** From any thread. */
  void watch(Runnable changed) {
    watchers.add(changed);
  }

  /** Runs those who watch when something that was shown is another now, or is no more. */
  void tellWatchers() {
    if (isNews) {
      isNews = false;
      watchers.forEach(Runnable::run);
    }
  }

  /** Shows what is durable. */
  void open(long durable) {
    if (changes.isEmpty() || changes.element().index() > durable) {
      return;
    }
    while (!changes.isEmpty() && changes.element().index() <= durable) {
      var change = changes.remove();
      var entry = change.entry();
      var before = entry == null ? shown.remove(change.path()) : shown.put(change.path(), entry);
      isNews |= before != null && !before.isLike(entry);
    }
    current = new Catalogue(shown);
  }

  private Catalogue.@Nullable Entry of(QueueId queue) {
    var path = paths.get(queue);
    return path == null ? null : newest.get(path);
  }

  private void change(long index, Catalogue.Entry entry) {
    changes.add(new Change(index, key(entry), entry));
  }

  private Catalogue.Entry put(Catalogue.Entry entry) {
    newest.put(key(entry), entry);
    paths.put(entry.queue(), key(entry));
    return entry;
  }

  private static String key(Catalogue.Entry entry) {
    return entry.definition().path().toLowerCase(Locale.ROOT);
  }
}
