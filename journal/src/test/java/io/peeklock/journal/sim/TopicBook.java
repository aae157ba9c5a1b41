package io.peeklock.journal.sim;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.fact.Copies;
import io.peeklock.kernel.fact.Fact;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;

/** The pages of a {@link Ledger} about a topic whose two subscriptions share bodies. */
public final class TopicBook {
  private final Ledger ledger;
  private final Map<Long, Turns> after = new TreeMap<>();
  private Turns copies = new Turns(1, 1, 1);
  private QueueId topic = new QueueId(3);

  /** The next number of the topic, and the next that each subscription completes. */
  private record Turns(long next, long first, long second) {}

  public TopicBook(Ledger ledger) {
    this.ledger = ledger;
  }

  public void copy(TopicBook other) {
    after.putAll(other.after);
    topic = other.topic;
  }

  /** Writes down how it stands after a batch. */
  public void note(long index) {
    after.put(index, copies);
  }

  /** What came behind this batch never was. */
  public void backTo(long index) {
    copies = Objects.requireNonNull(after.get(index));
    after.keySet().removeIf(later -> later > index);
  }

  /** Adds what makes it, behind facts that make a queue each. */
  public void create(List<Fact> facts) {
    topic = nextId(facts);
    facts.add(created(topic, "t", new QueueRole.Topic(false)));
    for (var name : List.of("a", "b")) {
      var role = new QueueRole.Subscription("t", true);
      facts.add(created(nextId(facts), "t/Subscriptions/" + name, role));
    }
  }

  private static QueueId nextId(List<Fact> facts) {
    return new QueueId(2 * facts.size() + 1);
  }

  private static Fact created(QueueId id, String path, QueueRole role) {
    return new Fact.QueueCreated(
        id, new QueueId(id.number() + 1), QueueDefinition.named(path).as(role), 0);
  }

  private QueueId subscription(int place) {
    return new QueueId(topic.number() + 2 * place);
  }

  /** Publishes, or completes what came to one subscription first. */
  public void change(Random chance, boolean takesSends) {
    switch (chance.nextInt(takesSends ? 0 : 1, 3)) {
      case 0 -> publish(chance.ints(1 + chance.nextInt(5), 0, 300).toArray());
      case 1 -> completeFirst();
      default -> completeSecond();
    }
  }

  /** One batch with messages of these sizes, for both subscriptions. */
  public void publish(int... sizes) {
    var next = copies.next();
    var firstBody = ledger.nextBodyId();
    var staged = ledger.stage(firstBody, sizes);
    var both =
        new Copies[] {
          new Copies(subscription(1), next, null, null, null, null),
          new Copies(subscription(2), next, null, null, null, null),
        };
    copies = new Turns(next + sizes.length, copies.first(), copies.second());
    ledger.append(
        List.of(
            new Fact.Published(topic, next, firstBody, 1_000, sizes, sizes.clone(), null, both)),
        List.of(staged));
  }

  /** Completes all copies. */
  public void completeAll() {
    while (copies.first() < copies.next() || copies.second() < copies.next()) {
      completeFirst();
      completeSecond();
    }
  }

  private void completeFirst() {
    var number = copies.first();
    if (number < copies.next()) {
      copies = new Turns(copies.next(), number + 1, copies.second());
      ledger.append(List.of(new Fact.Completed(subscription(1), new long[] {number})), List.of());
    }
  }

  private void completeSecond() {
    var number = copies.second();
    if (number < copies.next()) {
      copies = new Turns(copies.next(), copies.first(), number + 1);
      ledger.append(List.of(new Fact.Completed(subscription(2), new long[] {number})), List.of());
    }
  }
}
