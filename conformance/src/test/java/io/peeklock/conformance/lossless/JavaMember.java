package io.peeklock.conformance.lossless;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.models.SubQueue;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.TestQueue;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The client for Java. */
final class JavaMember implements Member {
  private final ServiceBusClientBuilder connection;
  private final Map<String, ServiceBusReceiverClient> receivers = new LinkedHashMap<>();
  private final Map<String, List<Long>> deferred = new HashMap<>();

  JavaMember(String connectionString) {
    connection = Sdk.connection(connectionString);
  }

  @Override
  public Client client() {
    return Client.JAVA;
  }

  /** The next receivers and senders open one. */
  @Override
  public void connect() {
    receivers.values().forEach(ServiceBusReceiverClient::close);
    receivers.clear();
  }

  @Override
  public void send(String to, boolean singly, List<Description> messages) {
    try (var sender = connection.sender().queueName(to).buildClient()) {
      var all = messages.stream().map(JavaMessages::write).toList();
      if (singly) {
        all.forEach(sender::sendMessage);
      } else {
        sender.sendMessages(all);
      }
    }
  }

  @Override
  public void schedule(String to, Duration after, List<Description> messages) {
    try (var sender = connection.sender().queueName(to).buildClient()) {
      var due = OffsetDateTime.now(ZoneOffset.UTC).plus(after);
      sender
          .scheduleMessages(messages.stream().map(JavaMessages::write).toList(), due)
          .forEach(n -> {});
    }
  }

  private ServiceBusReceiverClient receiver(String entity, SubQueue part) {
    return receivers.computeIfAbsent(
        entity + part,
        unknown -> {
          var builder =
              connection
                  .receiver()
                  .maxAutoLockRenewDuration(Duration.ZERO)
                  .disableAutoComplete()
                  .subQueue(part);
          var path = entity.split("/Subscriptions/", -1);
          return path.length == 1
              ? builder.queueName(entity).buildClient()
              : builder.topicName(path[0]).subscriptionName(path[1]).buildClient();
        });
  }

  @Override
  public Map<String, List<Description>> peek(String from, int count) {
    var receiver = receiver(from, SubQueue.NONE);
    var all = new ArrayList<ServiceBusReceivedMessage>();
    while (all.size() < count) {
      var next = all.isEmpty() ? 1 : all.getLast().getSequenceNumber() + 1;
      var some = receiver.peekMessages(count - all.size(), next).stream().toList();
      if (some.isEmpty()) {
        break;
      }
      all.addAll(some);
    }
    return Map.of("peeked", read(all));
  }

  private static List<Description> read(List<ServiceBusReceivedMessage> all) {
    return all.stream().map(JavaMessages::read).toList();
  }

  @Override
  public Map<String, List<Description>> take(String from, int count) {
    return Map.of("received", taken(receiver(from, SubQueue.NONE), count));
  }

  private static List<Description> taken(ServiceBusReceiverClient receiver, int count) {
    var all = TestQueue.next(receiver, count);
    all.forEach(receiver::complete);
    return read(all);
  }

  @Override
  public Map<String, List<Description>> defer(String from, int count) {
    var receiver = receiver(from, SubQueue.NONE);
    var all = TestQueue.next(receiver, count);
    all.forEach(receiver::defer);
    deferred.put(from, all.stream().map(ServiceBusReceivedMessage::getSequenceNumber).toList());
    return Map.of("received", read(all));
  }

  @Override
  public Map<String, List<Description>> bury(String from) {
    var receiver = receiver(from, SubQueue.NONE);
    var all = new ArrayList<ServiceBusReceivedMessage>();
    for (var number : deferred.getOrDefault(from, List.of())) {
      all.add(receiver.receiveDeferredMessage(number));
    }
    all.forEach(receiver::deadLetter);
    var dead = taken(receiver(from, SubQueue.DEAD_LETTER_QUEUE), all.size());
    return Map.of("by number", read(all), "dead", dead);
  }

  @Override
  public void close() {
    connect();
  }
}
