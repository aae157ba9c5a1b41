package io.peeklock.runtime;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.entity.QueueEntry;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.runtime.thread.ShardThread;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the catalogue of durable entities to edges, each change when it is durable. Later
 * changes wait until they are durable themselves: a client that gets an answer about an entity
 * finds it here, however many other changes are on their way to disk.
 */
@ShardThread
final class Publication {
  private EntriesByPath shown = EntriesByPath.EMPTY;
  private EntriesByPath shownTransfers = EntriesByPath.EMPTY;
  private final Map<String, Catalogue.Entry> newest = new HashMap<>();
  private final Map<QueueId, String> paths = new HashMap<>();
  private final Map<QueueId, String> transferPaths = new HashMap<>();
  private final ArrayDeque<Change> changes = new ArrayDeque<>();
  private final List<Runnable> watchers = new CopyOnWriteArrayList<>();
  private volatile Catalogue current = Catalogue.UNKNOWN;
  private boolean isNews;

  /** The entry of a path, null for none, from the moment that this index is durable. */
  private record Change(
      long index, boolean ofTransfers, String path, Catalogue.@Nullable Entry entry) {}

  @AnyThread
  Catalogue current() {
    return current;
  }

  /** Says that the log does not lead: what was published last stays, and may be out of date. */
  void follow() {
    current = new Catalogue(shown, shownTransfers, false);
  }

  /** Publishes what a log has that leads from now on. */
  void restart(Machine machine) {
    newest.clear();
    paths.clear();
    transferPaths.clear();
    changes.clear();
    shown = EntriesByPath.EMPTY;
    shownTransfers = EntriesByPath.EMPTY;
    for (var queue : machine.queues()) {
      create(0, new Catalogue.Entry(queue, machine.rules(queue.queue())));
    }
    showUntil(0);
  }

  /** Notes a fact, which the machine has applied already. */
  void note(Fact fact, long index, Machine machine) {
    switch (fact) {
      case Fact.QueueCreated made -> create(index, made, 0);
      case EntityFact.QueueMadeAgain made -> {
        delete(index, made.before(), machine);
        create(index, made.created(), machine.rules(made.queue()));
      }
      case EntityFact.QueueUpdated updated -> {
        var before = of(updated.queue());
        if (before != null) {
          change(index, put(before.updated(updated.definition(), updated.updatedAtMillis())));
        }
      }
      case EntityFact.QueueDeleted deleted -> delete(index, deleted.queue(), machine);
      case Fact.AboutRules rules -> countRules(of(rules.subscription()), index, machine);
      default -> {} // about messages
    }
  }

  private void create(long index, Fact.QueueCreated made, int rules) {
    var queue =
        new QueueEntry(
            made.queue(),
            made.deadLetterQueue(),
            made.definition(),
            made.createdAtMillis(),
            made.createdAtMillis());
    create(index, new Catalogue.Entry(queue, rules));
  }

  private void create(long index, Catalogue.Entry entry) {
    if (!(entry.definition().role() instanceof QueueRole.Transfers role)) {
      change(index, put(entry));
    } else if (entry.definition().forwardTo() == null) { // those that forward are not published
      var path = role.entityPath().toLowerCase(Locale.ROOT);
      transferPaths.put(entry.queue(), path);
      changes.add(new Change(index, true, path, entry));
    }
  }

  private void delete(long index, QueueId queue, Machine machine) {
    var transfers = transferPaths.remove(queue);
    if (transfers != null) {
      changes.add(new Change(index, true, transfers, null));
    }
    var gone = of(queue);
    if (gone != null) {
      var path = Objects.requireNonNull(paths.remove(queue));
      newest.remove(path);
      changes.add(new Change(index, false, path, null));
      countRules(gone, index, machine);
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

  /** The paths, as they were created, of the entities that idle time deletes by a decision. */
  List<String> deletedBy(Decision decision) {
    if (decision.grants().stream().noneMatch(Grant.Ticked.class::isInstance)) {
      return List.of(); // a part of emptying a namespace
    }
    var gone = new ArrayList<String>(0);
    for (var fact : decision.facts()) {
      if (fact instanceof EntityFact.QueueDeleted deleted) {
        var entry = of(deleted.queue());
        if (entry != null) { // not a transfer queue, which is not published
          gone.add(entry.definition().path());
        }
      }
    }
    return gone;
  }

  /** Has {@code changed} run by {@link #tellWatchers}. */
  @AnyThread
  void watch(Runnable changed) {
    watchers.add(changed);
  }

  /** Calls the watchers if a published entity has changed or gone. */
  void tellWatchers() {
    if (isNews) {
      isNews = false;
      watchers.forEach(Runnable::run);
    }
  }

  /** Publishes the changes that are durable. */
  void open(long durable) {
    if (changes.isEmpty() || changes.element().index() > durable) {
      return;
    }
    showUntil(durable);
  }

  private void showUntil(long durable) {
    var queues = shown.change();
    var transfers = shownTransfers.change();
    while (!changes.isEmpty() && changes.element().index() <= durable) {
      var change = changes.remove();
      var where = change.ofTransfers() ? transfers : queues;
      var before = where.set(change.path(), change.entry());
      isNews |= before != null && !before.isLike(change.entry());
    }
    shown = queues.build();
    shownTransfers = transfers.build();
    current = new Catalogue(shown, shownTransfers, true);
  }

  private Catalogue.@Nullable Entry of(QueueId queue) {
    var path = paths.get(queue);
    return path == null ? null : newest.get(path);
  }

  private void change(long index, Catalogue.Entry entry) {
    changes.add(new Change(index, false, key(entry), entry));
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
