package io.peeklock.store;

import io.peeklock.journal.CheckpointReader;
import io.peeklock.journal.LoggedBatch;
import io.peeklock.journal.SegmentScan;
import io.peeklock.journal.StoreFolder;
import io.peeklock.journal.StoreFolder.Kind;
import io.peeklock.kernel.Copies;
import io.peeklock.kernel.EntityFact;
import io.peeklock.kernel.Fact;
import io.peeklock.kernel.ForwardFact;
import io.peeklock.kernel.QueueDefinition;
import io.peeklock.kernel.QueueId;
import io.peeklock.kernel.QueueRole;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What anything that is intact says of queues, by number: their definitions, and where nobody tells
 * one, what facts about their messages show of it.
 */
final class Definitions implements SegmentScan.Visitor, CheckpointReader.Content {
  private final Map<Integer, Subjects.Told> told = new HashMap<>();
  private final Map<Integer, QueueDefinition> shown = new HashMap<>();

  /** By subscription the topic that feeds it. */
  private final Map<Integer, Integer> topics = new HashMap<>();

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
    return all;
  }

  /** What is told of a queue or of the queue of its dead letters; null for nothing. */
  Subjects.@Nullable Told told(int queue) {
    return told.get(queue);
  }

  /** The definition that facts show, of a queue that nobody tells of. */
  QueueDefinition shown(int queue) {
    var known = shown.getOrDefault(queue, named(queue));
    var topic = topics.get(queue);
    if (topic == null) {
      return topics.containsValue(queue) ? known.as(new QueueRole.Topic(false)) : known;
    }
    var fed = told.get(topic);
    var path = fed == null ? named(topic).path() : fed.definition().path();
    return known.as(new QueueRole.Subscription(path, true));
  }

  /** The number of the queue with this path, 0 when nobody tells or shows it. */
  int numberOf(String path) {
    for (var each : told.values()) {
      if (each.definition().path().equalsIgnoreCase(path)) {
        return each.queue().number();
      }
    }
    return topics.values().stream()
        .filter(number -> named(number).path().equals(path))
        .findFirst()
        .orElse(0);
  }

  private static QueueDefinition named(int queue) {
    return QueueDefinition.named("recovered-" + queue);
  }

  private void learn(Fact fact) {
    var some = Subjects.toldBy(fact);
    if (some != null) {
      told.put(some.queue().number(), some);
      told.put(some.deadLetterQueue().number(), some);
    }
    switch (fact) {
      case Fact.Published sent -> feeds(sent.topic(), sent.copies());
      case Fact.ScheduledPublished due -> feeds(due.topic(), due.copies());
      case ForwardFact.ForwardPublished moved -> feeds(moved.topic(), moved.copies());
      case EntityFact.QueueUpdated updated ->
          told.computeIfPresent(
              updated.queue().number(), (number, known) -> known.with(updated.definition()));
      case EntityFact.QueueMadeAgain made -> tellOfBefore(made);
      default -> {} // what others are about is one queue
    }
    for (var queue : Subjects.of(fact)) {
      shown.compute(
          queue.number(),
          (number, known) -> Subjects.shown(known == null ? named(number) : known, fact));
    }
  }

  /** The one in its place is like it. */
  private void tellOfBefore(EntityFact.QueueMadeAgain made) {
    var dead = new QueueId(made.before().number() + 1);
    var before = new Subjects.Told(made.before(), dead, made.definition(), 1);
    told.putIfAbsent(made.before().number(), before);
    told.putIfAbsent(dead.number(), before);
  }

  private void feeds(QueueId topic, Copies[] all) {
    for (var copies : all) {
      topics.put(copies.subscription().number(), topic.number());
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
