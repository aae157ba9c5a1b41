package io.peeklock.junit;

import io.peeklock.kernel.entity.Rule;
import io.peeklock.runtime.naming.EntityNames;
import io.peeklock.server.config.Entity;
import io.peeklock.server.config.ServerSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The entities that a broker starts with, in any order. For one thread at a time. */
public final class PeeklockBuilder {
  private final List<Entity> entities = new ArrayList<>();

  PeeklockBuilder() {}

  /** Adds a queue as Azure Service Bus makes it. */
  public PeeklockBuilder queue(String name) {
    return queue(name, queue -> {});
  }

  /**
   * Adds a queue.
   *
   * @param options sets its properties
   * @throws IllegalArgumentException when the name or a property is outside its range
   */
  public PeeklockBuilder queue(String name, Consumer<QueueOptions> options) {
    check("queue", name, EntityNames.wrongWith(name));
    var queue = new QueueOptions(name);
    options.accept(queue);
    return add(queue, null);
  }

  /** Adds a topic as Azure Service Bus makes it. */
  public PeeklockBuilder topic(String name) {
    return topic(name, topic -> {});
  }

  /** Adds a topic; as {@link #queue(String, Consumer)}. */
  public PeeklockBuilder topic(String name, Consumer<TopicOptions> options) {
    check("topic", name, EntityNames.wrongWith(name));
    var topic = new TopicOptions(name);
    options.accept(topic);
    return add(topic, null);
  }

  /** Adds a subscription that selects all messages of a topic, which must be added too. */
  public PeeklockBuilder subscription(String topic, String name) {
    return subscription(topic, name, subscription -> {});
  }

  /** Adds a subscription of a topic, which must be added too; as {@link #queue}. */
  public PeeklockBuilder subscription(
      String topic, String name, Consumer<SubscriptionOptions> options) {
    check("subscription", name, EntityNames.wrongWithSubscription(name));
    var subscription = new SubscriptionOptions(topic, name);
    options.accept(subscription);
    return add(subscription, subscription.rules());
  }

  private static void check(String kind, String name, String wrong) {
    if (!wrong.isEmpty()) {
      throw new IllegalArgumentException("the name of the " + kind + " \"" + name + "\" " + wrong);
    }
  }

  private PeeklockBuilder add(EntityOptions<?> options, @Nullable List<Rule> rules) {
    entities.add(new Entity(options.definition.build(), rules));
    return this;
  }

  /** Starts a broker with these entities. Returns when clients can connect. */
  public Peeklock start() {
    return Peeklock.start(ServerSettings.inMemoryWith(entities));
  }
}
