package io.peeklock.store;

import io.peeklock.journal.checkpoint.CheckpointReader;
import io.peeklock.journal.inspection.StoreFolder;
import io.peeklock.journal.inspection.StoreFolder.Kind;
import io.peeklock.journal.scan.LoggedBatch;
import io.peeklock.journal.scan.SegmentScan;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.fact.Copies;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.runtime.naming.EntityNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The definitions of queues by number, from everything that is intact; where no fact has a
 * definition, as much as facts about messages show of it.
 */
final class Definitions implements SegmentScan.Visitor, CheckpointReader.Content {
  private final TreeMap<Integer, Subjects.DefinedQueue> defined = new TreeMap<>();

  /** The definitions that facts show, of all queues that they name. */
  private final TreeMap<Integer, QueueDefinition> shown = new TreeMap<>();

  /** The topic of each subscription. */
  private final Map<Integer, Integer> topics = new TreeMap<>();

  /** The numbers that facts show to be no topic. */
  private final Set<Integer> noTopics = new HashSet<>();

  /** Topics without a known definition, as they were found. */
  private final List<Subjects.DefinedQueue> found = new ArrayList<>();

  private Definitions() {}

  static Definitions in(StoreFolder folder) throws IOException {
    var all = new Definitions();
    for (var name : folder.names(Kind.CHECKPOINT)) {
      try (var reader = folder.checkpoint(name)) {
        if (reader.damage() == null) {
          reader.read(all);
        }
      }
    }
    for (var name : folder.names(Kind.SEGMENT)) {
      try (var scan = folder.segment(name)) {
        scan.run(false, all, bytes -> {});
      }
    }
    for (var each : List.copyOf(all.defined.values())) {
      if (each.definition().role() instanceof QueueRole.Subscription subscription) {
        all.topicOf(each.queue(), subscription.topicPath(), number -> false);
      }
    }
    return all;
  }

  /**
   * The fact with the definition of a queue, or of the queue of a dead-letter queue; null for none.
   */
  Subjects.@Nullable DefinedQueue defined(int queue) {
    return defined.get(queue);
  }

  /** The definition that facts show of a queue without a known one. */
  QueueDefinition shown(int queue) {
    var known = shown.getOrDefault(queue, named(queue));
    if (!known.role().equals(QueueRole.QUEUE)) {
      return known; // a change has the whole definition
    }
    var topic = topics.get(queue);
    if (topic == null) {
      var own = free(known, queue);
      return topics.containsValue(queue) ? own.as(new QueueRole.Topic(false)) : own;
    }
    if (!defined.containsKey(topic)) { // one by which its other subscriptions go too
      define(
          new Subjects.DefinedQueue(new QueueId(topic), new QueueId(topic + 1), shown(topic), 1));
    }
    var above = Objects.requireNonNull(defined.get(topic)).definition().path();
    var below =
        known
            .with()
            .path(EntityNames.subscription(above, known.path()))
            .role(new QueueRole.Subscription(above, true))
            .build();
    return free(below, queue);
  }

  /** The definition with a path that no other queue has or had. */
  private QueueDefinition free(QueueDefinition definition, int queue) {
    var path = definition.path();
    for (var i = 2; isOfAnother(path, queue); i++) {
      path = definition.path() + "-" + i;
    }
    return definition.with().path(path).build();
  }

  private boolean isOfAnother(String path, int queue) {
    return defined.values().stream()
        .filter(each -> each.queue().number() != queue)
        .anyMatch(each -> each.definition().path().equalsIgnoreCase(path));
  }

  /**
   * The number of the topic that feeds a subscription. A topic without a known definition is found
   * here, and known from then on.
   *
   * @param isOther whether a number belongs to another queue
   */
  int topicOf(QueueId subscription, String path, IntPredicate isOther) {
    var feeding = topics.get(subscription.number());
    if (feeding == null || isOther.test(feeding)) {
      return topicThatMayFeed(subscription, path, isOther);
    }
    if (!defined.containsKey(feeding)) {
      tellOfFound(feeding, path);
    }
    return is(Objects.requireNonNull(defined.get(feeding)).definition(), path)
        ? feeding
        : topicThatMayFeed(subscription, path, isOther);
  }

  /** Whether facts show that the topic of a subscription does not exist yet. */
  boolean isFedByMissing(QueueId subscription, IntPredicate isThere) {
    var feeding = topics.get(subscription.number());
    return feeding != null && !isThere.test(feeding);
  }

  private int topicThatMayFeed(QueueId subscription, String path, IntPredicate isOther) {
    var before = defined.headMap(subscription.number(), false).descendingMap().values();
    var known =
        Stream.concat(before.stream(), found.stream())
            .filter(each -> is(each.definition(), path) && !isOther.test(each.queue().number()))
            .findFirst();
    return known.isPresent()
        ? known.get().queue().number()
        : find(subscription.number(), path, isOther);
  }

  private int find(int subscription, String path, IntPredicate isOther) {
    var number = numberOfLost(subscription, path, isOther);
    tellOfFound(number, path);
    return number;
  }

  private void tellOfFound(int number, String path) {
    var known = shown.getOrDefault(number, named(number));
    var topic =
        is(known, path) ? known : known.with().path(path).role(new QueueRole.Topic(false)).build();
    var made = new Subjects.DefinedQueue(new QueueId(number), new QueueId(number + 1), topic, 1);
    found.add(made);
    define(made);
  }

  private static boolean is(QueueDefinition definition, String path) {
    return definition.role() instanceof QueueRole.Topic && definition.path().equalsIgnoreCase(path);
  }

  /**
   * The number of a topic without a known definition. Numbers are given in pairs, in order of
   * creation, and a topic is created before its subscriptions: so its number is lower. If facts do
   * not show it, it is the only number left there, or one that no fact names, as a named number may
   * be another queue's.
   */
  private int numberOfLost(int subscription, String path, IntPredicate isOther) {
    var left =
        IntStream.iterate(subscription - 2, number -> number > 0, number -> number - 2)
            .filter(number -> mayBeTopic(number) && !isOther.test(number))
            .boxed()
            .toList();
    return left.stream()
        .filter(number -> isShown(number, path))
        .findFirst()
        .or(() -> left.size() == 1 ? Optional.of(left.getFirst()) : Optional.empty())
        .or(() -> left.stream().filter(this::isNotShown).findFirst())
        .orElseGet(() -> (Math.max(defined.lastKey(), shown.lastKey()) + 1) | 1);
  }

  /** Whether facts show that this topic has that path. */
  private boolean isShown(int topic, String path) {
    var known = shown.get(topic);
    return (known != null && is(known, path))
        || topics.entrySet().stream()
            .filter(each -> each.getValue() == topic)
            .map(each -> defined.get(each.getKey()))
            .anyMatch(fed -> fed != null && isFedBy(fed.definition().role(), path));
  }

  private static boolean isFedBy(QueueRole role, String path) {
    return role instanceof QueueRole.Subscription some && some.topicPath().equalsIgnoreCase(path);
  }

  private boolean mayBeTopic(int queue) {
    return !defined.containsKey(queue) && !topics.containsKey(queue) && !noTopics.contains(queue);
  }

  private boolean isNotShown(int queue) {
    return !shown.containsKey(queue) && !shown.containsKey(queue + 1);
  }

  private static QueueDefinition named(int queue) {
    return QueueDefinition.named("recovered-" + queue);
  }

  private void learn(Fact fact) {
    var some = Subjects.definedBy(fact);
    if (some != null) {
      define(some);
    }
    switch (fact) {
      case Fact.Enqueued sent -> noTopics.add(sent.queue().number());
      case Fact.RuleAdded rule -> noTopics.add(rule.subscription().number());
      case Fact.CopiesMessages copied -> feeds(copied.topic(), copied.copies());
      case EntityFact.QueueUpdated updated ->
          defined.computeIfPresent(
              updated.queue().number(), (number, known) -> known.with(updated.definition()));
      case EntityFact.QueueMadeAgain made -> tellOfBefore(made);
      default -> {} // all others are about one queue
    }
    for (var queue : Subjects.of(fact)) {
      shown.compute(
          queue.number(),
          (number, known) -> Subjects.shown(known == null ? named(number) : known, fact));
    }
  }

  private void define(Subjects.DefinedQueue some) {
    defined.put(some.queue().number(), some);
    defined.put(some.deadLetterQueue().number(), some);
  }

  /** Notes the deleted entity, which the new one equals. */
  private void tellOfBefore(EntityFact.QueueMadeAgain made) {
    var dead = new QueueId(made.before().number() + 1);
    var before = new Subjects.DefinedQueue(made.before(), dead, made.definition(), 1);
    defined.putIfAbsent(made.before().number(), before);
    defined.putIfAbsent(dead.number(), before);
  }

  private void feeds(QueueId topic, Copies[] all) {
    for (var copies : all) {
      var subscription = copies.subscription().number();
      topics.put(subscription, topic.number());
      if (copies.sessionIds() != null) {
        var known = shown.getOrDefault(subscription, named(subscription));
        shown.put(subscription, known.withSession(true));
      }
    }
  }

  @Override
  public void batch(LoggedBatch batch) {
    batch.facts().forEach(this::learn);
  }

  @Override
  public void watermark(long offset, long index) {}

  @Override
  public void damage(long offset, long bytes, String what) {}

  @Override
  public void segments(long[] table) {}

  @Override
  public void cold(long[] table) {}

  @Override
  public void part(List<Fact> facts, long[] places, List<CheckpointReader.Large> larges) {
    facts.forEach(this::learn);
  }
}
