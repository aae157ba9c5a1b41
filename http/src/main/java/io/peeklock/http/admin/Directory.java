package io.peeklock.http.admin;

import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.runtime.Catalogue;
import io.peeklock.runtime.naming.EntityNames;
import io.peeklock.runtime.thread.AnyThread;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The durable entities by kind and in the order of their names. */
@AnyThread
final class Directory {
  private final Supplier<Catalogue> catalogue;
  private volatile Sorted sorted = new Sorted(Catalogue.UNKNOWN, List.of(), List.of(), Map.of());

  /** One catalogue, sorted once. */
  private record Sorted(
      Catalogue of,
      List<Catalogue.Entry> queues,
      List<Catalogue.Entry> topics,
      Map<String, List<Catalogue.Entry>> subscriptions) {}

  Directory(Supplier<Catalogue> catalogue) {
    this.catalogue = catalogue;
  }

  /** False while others may have created what is not here. */
  boolean isComplete() {
    return catalogue.get().complete();
  }

  List<Catalogue.Entry> queues() {
    return current().queues();
  }

  List<Catalogue.Entry> topics() {
    return current().topics();
  }

  /** Those of a topic; none where there is no such topic. */
  List<Catalogue.Entry> subscriptions(String topic) {
    return current().subscriptions().getOrDefault(EntityNames.key(topic), List.of());
  }

  /** A queue or topic. */
  Catalogue.@Nullable Entry entity(String path) {
    var entry = catalogue.get().queue(path);
    return entry == null || entry.definition().role() instanceof QueueRole.Subscription
        ? null
        : entry;
  }

  /** A topic. */
  Catalogue.@Nullable Entry topic(String path) {
    var entry = catalogue.get().queue(path);
    return entry != null && entry.definition().role() instanceof QueueRole.Topic ? entry : null;
  }

  /** A subscription. */
  Catalogue.@Nullable Entry subscription(String path) {
    var entry = catalogue.get().queue(path);
    return entry != null && entry.definition().role() instanceof QueueRole.Subscription
        ? entry
        : null;
  }

  @SuppressWarnings("ReferenceEquality") // a catalogue is replaced as a whole
  private Sorted current() {
    var now = catalogue.get();
    var known = sorted;
    if (known.of() != now) {
      known = sorted(now);
      sorted = known;
    }
    return known;
  }

  private static Sorted sorted(Catalogue catalogue) {
    var queues = new ArrayList<Catalogue.Entry>();
    var topics = new ArrayList<Catalogue.Entry>();
    var subscriptions = new HashMap<String, List<Catalogue.Entry>>();
    var byName = new ArrayList<>(catalogue.queues().entrySet());
    byName.sort(Map.Entry.comparingByKey());
    for (var named : byName) {
      var entry = named.getValue();
      switch (entry.definition().role()) {
        case QueueRole.Queue queue -> queues.add(entry);
        case QueueRole.Topic topic -> topics.add(entry);
        case QueueRole.Subscription one ->
            subscriptions
                .computeIfAbsent(EntityNames.key(one.topicPath()), first -> new ArrayList<>())
                .add(entry);
        case QueueRole.Transfers transfers -> {} // not among the entities of a catalogue
      }
    }
    return new Sorted(catalogue, queues, topics, subscriptions);
  }
}
