package io.peeklock.conformance;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** One broker for a whole run, and queues of it that no other test has seen. */
public final class SharedBroker implements AutoCloseable {
  private final BrokerProcess process;
  private final Map<QueueKind, AtomicInteger> given = new EnumMap<>(QueueKind.class);

  SharedBroker() {
    for (var kind : QueueKind.values()) {
      given.put(kind, new AtomicInteger());
    }
    var options = new ArrayList<>(BrokerProcess.queueOptions(QueueKind.definitions()));
    options.addAll(Store.ofSharedBroker().options());
    process = BrokerProcess.start(Installation.folder("shared"), options);
  }

  /** The name of a queue that nobody used yet. */
  public String queue(QueueKind kind) {
    var counter = given.get(kind);
    var number = counter == null ? kind.count() : counter.getAndIncrement();
    if (number >= kind.count()) {
      throw new IllegalStateException("no queue is left of " + kind + ": make the pool larger");
    }
    return kind.queue(number);
  }

  /** The broker itself; not to be stopped by a test. */
  public BrokerProcess process() {
    return process;
  }

  @Override
  public void close() {
    process.close();
  }
}
