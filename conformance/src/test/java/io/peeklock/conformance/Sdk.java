package io.peeklock.conformance;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The unmodified Azure Service Bus client for Java, and what it opened during one test. */
public final class Sdk implements AutoCloseable {
  private final SharedBroker broker;
  private final List<AutoCloseable> opened = new ArrayList<>();

  Sdk(SharedBroker broker) {
    this.broker = broker;
  }

  /** A queue of this kind that no other test has used. */
  public TestQueue queue(QueueKind kind) {
    return new TestQueue(this, broker.queue(kind));
  }

  /** The queue that anybody else would call by this name. */
  public TestQueue queue(String name) {
    return new TestQueue(this, name);
  }

  /** The broker's own view. */
  public BrokerProcess process() {
    return broker.process();
  }

  /** The start of a client with a connection of its own. */
  public ServiceBusClientBuilder connection() {
    return connection(broker.process().connectionString());
  }

  /** The same, for a connection string of one's own. */
  public static ServiceBusClientBuilder connection(String connectionString) {
    return new ServiceBusClientBuilder()
        .connectionString(connectionString)
        .retryOptions(new AmqpRetryOptions().setTryTimeout(Duration.ofSeconds(20)));
  }

  /** Closes it when the test is over. */
  public synchronized <T extends AutoCloseable> T closing(T client) {
    opened.addFirst(client);
    return client;
  }

  @Override
  public synchronized void close() {
    for (var client : opened) {
      close(client);
    }
    opened.clear();
  }

  private static void close(AutoCloseable client) {
    try {
      client.close();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (Exception failed) {
      throw new IllegalStateException("a client cannot be closed", failed);
    }
  }
}
