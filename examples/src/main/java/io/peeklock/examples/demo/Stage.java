package io.peeklock.examples.demo;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderAsyncClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.models.ServiceBusReceiveMode;
import com.azure.messaging.servicebus.models.SubQueue;
import io.peeklock.testkit.net.DelayProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** The broker, the slow line before it, and the clients that were opened; closes all of them. */
final class Stage implements AutoCloseable {
  static final String KEY_NAME = "RootManageSharedAccessKey";
  static final String KEY = "SAS_KEY_VALUE";
  private static final Duration TRY_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final BrokerChild broker;
  private final DelayProxy slow;
  private final Deque<Runnable> opened = new ArrayDeque<>();

  Stage(Duration roundTrip) throws IOException {
    broker = BrokerChild.start();
    slow = DelayProxy.open(broker.port(), roundTrip.dividedBy(2));
  }

  BrokerChild broker() {
    return broker;
  }

  int slowPort() {
    return slow.port();
  }

  /** A client whose every byte takes its time. */
  ServiceBusClientBuilder farAway() {
    return client(slow.port());
  }

  /** A client beside the broker. */
  ServiceBusClientBuilder near() {
    return client(broker.port());
  }

  private static ServiceBusClientBuilder client(int port) {
    return new ServiceBusClientBuilder()
        .connectionString(
            "Endpoint=sb://localhost:"
                + port
                + ";SharedAccessKeyName="
                + KEY_NAME
                + ";SharedAccessKey="
                + KEY
                + ";UseDevelopmentEmulator=true;")
        .retryOptions(new AmqpRetryOptions().setTryTimeout(TRY_TIMEOUT).setMaxRetries(0));
  }

  ServiceBusSenderClient sender(String queue) {
    return closing(near().sender().queueName(queue).buildClient());
  }

  /** Settles and renews only when it is told to; by itself the client would renew each lock. */
  ServiceBusReceiverClient receiver(String queue) {
    return closing(
        near()
            .receiver()
            .queueName(queue)
            .disableAutoComplete()
            .maxAutoLockRenewDuration(Duration.ZERO)
            .buildClient());
  }

  ServiceBusReceiverClient taker(String queue) {
    return closing(
        near()
            .receiver()
            .queueName(queue)
            .receiveMode(ServiceBusReceiveMode.RECEIVE_AND_DELETE)
            .disableAutoComplete()
            .buildClient());
  }

  ServiceBusReceiverClient deadLetterReceiver(String queue) {
    return closing(
        near()
            .receiver()
            .queueName(queue)
            .subQueue(SubQueue.DEAD_LETTER_QUEUE)
            .disableAutoComplete()
            .buildClient());
  }

  /** The next message; fails when none comes. */
  static ServiceBusReceivedMessage next(ServiceBusReceiverClient receiver) {
    return receiver.receiveMessages(1, PATIENCE).stream()
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no message came within " + PATIENCE));
  }

  /** Closes it with the stage. */
  ServiceBusSenderAsyncClient closing(ServiceBusSenderAsyncClient client) {
    opened.push(client::close);
    return client;
  }

  private ServiceBusSenderClient closing(ServiceBusSenderClient client) {
    opened.push(client::close);
    return client;
  }

  private ServiceBusReceiverClient closing(ServiceBusReceiverClient client) {
    opened.push(client::close);
    return client;
  }

  @Override
  public void close() throws IOException {
    opened.forEach(Runnable::run);
    slow.close();
    broker.close();
  }
}
