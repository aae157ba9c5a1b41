package io.peeklock.conformance;

import com.azure.messaging.servicebus.ServiceBusClientBuilder.ServiceBusReceiverClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.models.ServiceBusReceiveMode;
import com.azure.messaging.servicebus.models.SubQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One queue as tests speak of it, through the synchronous client. */
public final class TestQueue {
  /** How long something is waited for that has to come. */
  public static final Duration PATIENCE = Duration.ofSeconds(45);

  private static final int MOST_AT_ONCE = 100;

  private final Sdk sdk;
  private final String name;
  private @Nullable ServiceBusSenderClient sender;
  private @Nullable ServiceBusReceiverClient receiver;
  private @Nullable ServiceBusReceiverClient deadLetterReceiver;

  TestQueue(Sdk sdk, String name) {
    this.sdk = sdk;
    this.name = name;
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** The sender of this test. */
  public ServiceBusSenderClient sender() {
    var known = sender;
    if (known == null) {
      known = sdk.closing(sdk.connection().sender().queueName(name).buildClient());
      sender = known;
    }
    return known;
  }

  /** The peek-lock receiver of this test: no prefetch, no renewal by itself. */
  public ServiceBusReceiverClient receiver() {
    var known = receiver;
    if (known == null) {
      known = anotherReceiver();
      receiver = known;
    }
    return known;
  }

  /** One more such receiver, on a connection of its own. */
  public ServiceBusReceiverClient anotherReceiver() {
    return sdk.closing(receiving().buildClient());
  }

  /** A receiver whose messages are gone when they come. */
  public ServiceBusReceiverClient takingReceiver() {
    return sdk.closing(
        receiving().receiveMode(ServiceBusReceiveMode.RECEIVE_AND_DELETE).buildClient());
  }

  /** The receiver of the dead-letter queue. */
  public ServiceBusReceiverClient deadLetterReceiver() {
    var known = deadLetterReceiver;
    if (known == null) {
      known = sdk.closing(receiving().subQueue(SubQueue.DEAD_LETTER_QUEUE).buildClient());
      deadLetterReceiver = known;
    }
    return known;
  }

  private ServiceBusReceiverClientBuilder receiving() {
    return sdk.connection()
        .receiver()
        .queueName(name)
        .maxAutoLockRenewDuration(Duration.ZERO)
        .disableAutoComplete();
  }

  /** Sends each, one after the other was accepted. */
  public void send(String... bodies) {
    Arrays.stream(bodies).map(ServiceBusMessage::new).forEach(sender()::sendMessage);
  }

  /** Sends one that lives this long. */
  public void sendFor(Duration timeToLive, String body) {
    sender().sendMessage(new ServiceBusMessage(body).setTimeToLive(timeToLive));
  }

  /** The next message, locked; fails when none comes. */
  public ServiceBusReceivedMessage receive() {
    return next(receiver());
  }

  /** As many messages as asked for, locked, in the order in which they came. */
  public List<ServiceBusReceivedMessage> receive(int count) {
    return next(receiver(), count);
  }

  /** The next dead letter, locked; fails when none comes. */
  public ServiceBusReceivedMessage receiveDeadLetter() {
    return next(deadLetterReceiver());
  }

  /** The next message of a receiver; fails when none comes. */
  public static ServiceBusReceivedMessage next(ServiceBusReceiverClient receiver) {
    return next(receiver, 1).getFirst();
  }

  /** The next messages of a receiver; fails when they do not all come. */
  public static List<ServiceBusReceivedMessage> next(ServiceBusReceiverClient from, int count) {
    var all = new ArrayList<ServiceBusReceivedMessage>();
    while (all.size() < count) {
      // The client closes its link when more than this comes faster than it can hand it on.
      var most = Math.min(MOST_AT_ONCE, count - all.size());
      var some = from.receiveMessages(most, PATIENCE).stream().toList();
      if (some.isEmpty()) {
        throw new AssertionError(
            "of " + count + " messages only " + all.size() + " came from " + from.getEntityPath());
      }
      all.addAll(some);
    }
    return all;
  }

  /** Everything in the queue in any state, dead letters aside, in order; changes nothing. */
  public List<ServiceBusReceivedMessage> everything() {
    return receiver().peekMessages(250, 0).stream().toList();
  }

  /** Every dead letter, in order; changes nothing. */
  public List<ServiceBusReceivedMessage> deadLetters() {
    return deadLetterReceiver().peekMessages(250, 0).stream().toList();
  }

  /** The bodies as text. */
  public static List<String> bodies(List<ServiceBusReceivedMessage> messages) {
    return messages.stream().map(message -> message.getBody().toString()).toList();
  }
}
