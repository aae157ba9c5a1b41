package io.peeklock.conformance.generations;

import static io.peeklock.conformance.generations.Stories.equal;
import static io.peeklock.conformance.generations.Stories.isSo;
import static io.peeklock.conformance.generations.Stories.refused;

import com.microsoft.azure.servicebus.ClientFactory;
import com.microsoft.azure.servicebus.IMessage;
import com.microsoft.azure.servicebus.IMessageReceiver;
import com.microsoft.azure.servicebus.IMessageSender;
import com.microsoft.azure.servicebus.Message;
import com.microsoft.azure.servicebus.ReceiveMode;
import com.microsoft.azure.servicebus.primitives.ConnectionStringBuilder;
import io.peeklock.conformance.BrokerProcess;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The first Java client (azure-servicebus 3.6): queues. It speaks TLS at port 5671 only, takes its
 * trust from the JVM, and has request and reply links on different sessions.
 */
final class FirstClient {
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private FirstClient() {}

  /** Tells the short story, or with the argument {@code long} the long one too. */
  public static void main(String[] arguments) throws Exception {
    var stories =
        new Stories()
            .add("settle", FirstClient::settle)
            .add("peek first", FirstClient::peekFirst)
            .add("session", FirstClientSessions::session)
            .add("transaction", FirstClientTransactions::commitAndRollBack)
            .add("missing queue", FirstClient::missingQueue)
            .add("wrong key", FirstClient::wrongKey);
    if (List.of(arguments).contains("long")) {
      stories
          .add("batches", FirstClient::batches)
          .add("schedule and cancel", FirstClient::scheduleAndCancel)
          .add("renew", FirstClient::renew)
          .add("receive and delete", FirstClient::receiveAndDelete)
          .add("lock lost", FirstClient::lockLost)
          .add("any session", FirstClientSessions::anySession)
          .add("session handler", FirstClientSessions::handler)
          .add("message handler", FirstClientTopics::handler)
          .add("topic and rules", FirstClientTopics::rules)
          .add("via", FirstClientTransactions::via);
    }
    stories.tell();
  }

  static ConnectionStringBuilder to(String entity) {
    return to(entity, BrokerProcess.KEY);
  }

  private static ConnectionStringBuilder to(String entity, String key) {
    return new ConnectionStringBuilder(
        URI.create("amqps://localhost"), entity, BrokerProcess.KEY_NAME, key);
  }

  static IMessageSender sender(String entity) throws Exception {
    return ClientFactory.createMessageSenderFromConnectionStringBuilder(to(entity));
  }

  static IMessageReceiver receiver(String entity) throws Exception {
    return ClientFactory.createMessageReceiverFromConnectionStringBuilder(
        to(entity), ReceiveMode.PEEKLOCK);
  }

  static IMessage message(String text) {
    return new Message(text.getBytes(StandardCharsets.UTF_8));
  }

  static String text(IMessage message) {
    return new String(message.getMessageBody().getBinaryData().getFirst(), StandardCharsets.UTF_8);
  }

  static IMessage next(IMessageReceiver receiver) throws Exception {
    var message = receiver.receive(PATIENCE);
    if (message == null) {
      throw new AssertionError("no message came");
    }
    return message;
  }

  private static void settle() throws Exception {
    var sender = sender("settle");
    var receiver = receiver("settle");
    for (var text : List.of("completed", "abandoned", "dead", "deferred")) {
      sender.send(message(text));
    }
    receiver.complete(next(receiver).getLockToken());
    receiver.abandon(next(receiver).getLockToken());
    var again = next(receiver);
    equal("abandoned", text(again));
    equal(2L, again.getDeliveryCount()); // this client counts the delivery that it speaks of
    receiver.complete(again.getLockToken());
    receiver.deadLetter(next(receiver).getLockToken(), "bad", "it was bad");
    var deferred = next(receiver);
    receiver.defer(deferred.getLockToken());
    var found = receiver.receiveDeferredMessage(deferred.getSequenceNumber());
    equal("deferred", text(found));
    receiver.complete(found.getLockToken());
    isSo("the queue is empty", receiver.peek() == null);
    var dead = next(receiver("settle/$DeadLetterQueue"));
    equal("dead", text(dead));
    equal("bad", dead.getProperties().get("DeadLetterReason"));
    isSo("nothing comes in time", receiver.receive(Duration.ofSeconds(1)) == null);
  }

  private static void peekFirst() throws Exception {
    sender("peek").send(message("looked at"));
    var browser = receiver("peek");
    equal("looked at", text(browser.peek()));
    isSo("that was all", browser.peek() == null);
    equal(1, browser.peekBatch(1, 10).size());
  }

  private static void batches() throws Exception {
    var bodies = IntStream.range(0, 30).mapToObj(i -> "m" + i).toList();
    sender("batches").sendBatch(bodies.stream().map(FirstClient::message).toList());
    var receiver = receiver("batches");
    receiver.setPrefetchCount(10);
    var seen = new TreeSet<String>();
    while (seen.size() < bodies.size()) {
      var some = receiver.receiveBatch(10, PATIENCE);
      isSo("more come", some != null);
      for (var message : some) {
        isSo("once", seen.add(text(message)));
        receiver.complete(message.getLockToken());
      }
    }
    equal(new TreeSet<>(bodies), seen);
  }

  private static void scheduleAndCancel() throws Exception {
    var sender = sender("schedule");
    var receiver = receiver("schedule");
    var due = Instant.now().plusSeconds(5);
    var cancelled = sender.scheduleMessage(message("cancelled"), due);
    sender.scheduleMessage(message("due"), due);
    equal(2, receiver.peekBatch(10).size());
    sender.cancelScheduledMessage(cancelled);
    equal("due", text(next(receiver)));
    isSo("not before its time", !Instant.now().isBefore(due.minusMillis(100)));
    isSo("no other", receiver.receive(Duration.ofSeconds(1)) == null);
  }

  private static void renew() throws Exception {
    sender("renew").send(message("held"));
    var receiver = receiver("renew");
    var held = next(receiver);
    var before = held.getLockedUntilUtc();
    while (!receiver.renewMessageLock(held).isAfter(before)) {
      // Once more: it was within the same millisecond.
    }
    receiver.complete(held.getLockToken());
  }

  private static void receiveAndDelete() throws Exception {
    sender("taken").send(message("taken"));
    var receiver =
        ClientFactory.createMessageReceiverFromConnectionStringBuilder(
            to("taken"), ReceiveMode.RECEIVEANDDELETE);
    equal("taken", text(next(receiver)));
    isSo("it is gone", receiver.peek() == null);
  }

  private static void lockLost() throws Exception {
    sender("brief").send(message("held too long"));
    var receiver = receiver("brief");
    var held = next(receiver);
    var again = next(receiver("brief")); // which comes once the lock of the first has ended
    equal(held.getSequenceNumber(), again.getSequenceNumber());
    refused("MessageLockLostException", () -> receiver.complete(held.getLockToken()));
  }

  private static void missingQueue() throws Exception {
    var began = System.nanoTime();
    refused("MessagingEntityNotFoundException", () -> sender("nowhere").send(message("lost")));
    refused("MessagingEntityNotFoundException", () -> receiver("nowhere").peek());
    isSo("it did not retry", System.nanoTime() - began < Duration.ofSeconds(45).toNanos());
  }

  private static void wrongKey() throws Exception {
    refused(
        "AuthorizationFailedException",
        () ->
            ClientFactory.createMessageSenderFromConnectionStringBuilder(to("settle", "no key"))
                .send(message("lost")));
  }

  /** Everything that is there, looked at. */
  static List<String> peeked(IMessageReceiver receiver) throws Exception {
    var all = new ArrayList<String>();
    for (var message : receiver.peekBatch(1, 100)) {
      all.add(text(message));
    }
    return all;
  }
}
