package io.peeklock.conformance.crowd;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.TestQueue;
import java.time.Duration;

/** The SDK for Java: one builder, so one connection, for its sender and its receiver. */
final class JavaMember implements Member {
  private final ServiceBusSenderClient sender;
  private final ServiceBusReceiverClient receiver;

  private JavaMember(ServiceBusSenderClient sender, ServiceBusReceiverClient receiver) {
    this.sender = sender;
    this.receiver = receiver;
  }

  static JavaMember join(String connectionString, String queue) {
    var connection = Sdk.connection(connectionString);
    return new JavaMember(
        connection.sender().queueName(queue).buildClient(),
        connection
            .receiver()
            .queueName(queue)
            .maxAutoLockRenewDuration(Duration.ZERO)
            .disableAutoComplete()
            .buildClient());
  }

  @Override
  public Receipt roundTrip(String id) {
    sender.sendMessage(new ServiceBusMessage(id));
    var message = TestQueue.next(receiver);
    receiver.complete(message);
    return new Receipt(message.getBody().toString(), message.getDeliveryCount());
  }

  @Override
  public void close() {
    receiver.close();
    sender.close();
  }
}
