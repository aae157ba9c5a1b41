package io.peeklock.conformance.generations;

import static io.peeklock.conformance.generations.Stories.equal;
import static io.peeklock.conformance.generations.Stories.isSo;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.administration.models.CreateRuleOptions;
import com.azure.messaging.servicebus.administration.models.SqlRuleFilter;
import com.azure.messaging.servicebus.models.CompleteOptions;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import com.azure.messaging.servicebus.models.SubQueue;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.TestQueue;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An earlier version of today's Java client, of which the first call on a connection may be one to
 * a management node, before any token: it attaches there first and puts its token then.
 */
final class EarlierClient {
  private static final String CONNECTION =
      "Endpoint=sb://localhost;SharedAccessKeyName="
          + BrokerProcess.KEY_NAME
          + ";SharedAccessKey="
          + BrokerProcess.KEY;

  private final String address;

  private EarlierClient(String address) {
    this.address = address;
  }

  /** Tells its story to the broker whose address is the first argument, in TLS. */
  public static void main(String[] arguments) throws InterruptedException {
    var client = new EarlierClient(arguments[0]);
    new Stories()
        .add("version", () -> version(arguments[1]))
        .add("settle", client::settle)
        .add("session", client::session)
        .add("peek first", client::peekFirst)
        .add("rules first", client::rulesFirst)
        .add("cross-entity transaction", client::crossEntityTransaction)
        .tell();
  }

  /** Which of the two libraries on the class path this is. */
  private static void version(String expected) {
    var jar = ServiceBusClientBuilder.class.getProtectionDomain().getCodeSource().getLocation();
    isSo(jar + " is of " + expected, jar.getPath().contains(expected));
  }

  private ServiceBusClientBuilder connect() {
    return new ServiceBusClientBuilder()
        .connectionString(CONNECTION)
        .customEndpointAddress(address);
  }

  private ServiceBusSenderClient sender(String queue) {
    return connect().sender().queueName(queue).buildClient();
  }

  private static ServiceBusReceiverClient receiver(ServiceBusClientBuilder client, String queue) {
    return client.receiver().queueName(queue).disableAutoComplete().buildClient();
  }

  private static List<String> peeked(ServiceBusReceiverClient receiver) {
    return TestQueue.bodies(receiver.peekMessages(50, 0).stream().toList());
  }

  private static ServiceBusReceivedMessage next(ServiceBusReceiverClient receiver) {
    return TestQueue.next(receiver);
  }

  private void settle() {
    try (var sender = sender("settle");
        var receiver = receiver(connect(), "settle");
        var dead =
            connect()
                .receiver()
                .queueName("settle")
                .subQueue(SubQueue.DEAD_LETTER_QUEUE)
                .disableAutoComplete()
                .buildClient()) {
      for (var text : List.of("completed", "abandoned", "dead", "deferred")) {
        sender.sendMessage(new ServiceBusMessage(text));
      }
      receiver.complete(next(receiver));
      receiver.abandon(next(receiver));
      var again = next(receiver);
      equal("abandoned", again.getBody().toString());
      receiver.complete(again);
      receiver.deadLetter(next(receiver), new DeadLetterOptions().setDeadLetterReason("bad"));
      var deferred = next(receiver);
      receiver.defer(deferred);
      receiver.complete(receiver.receiveDeferredMessage(deferred.getSequenceNumber()));
      equal(List.of(), peeked(receiver));
      equal("bad", next(dead).getDeadLetterReason());
    }
  }

  private void session() {
    try (var sender = sender("sessions");
        var sessions =
            connect().sessionReceiver().queueName("sessions").disableAutoComplete().buildClient()) {
      sender.sendMessage(new ServiceBusMessage("r1").setSessionId("red"));
      try (var red = sessions.acceptSession("red")) {
        red.setSessionState(new byte[] {1, 2});
        equal(2, red.getSessionState().length);
        red.renewSessionLock();
        var message = next(red);
        equal("r1", message.getBody().toString());
        red.complete(message);
      }
    }
  }

  private void peekFirst() {
    try (var sender = sender("peek");
        var browser = receiver(connect(), "peek")) {
      sender.sendMessage(new ServiceBusMessage("looked at"));
      equal(List.of("looked at"), peeked(browser));
    }
  }

  private void rulesFirst() {
    try (var rules =
        connect().ruleManager().topicName("topic").subscriptionName("all").buildClient()) {
      rules.createRule("large", new CreateRuleOptions(new SqlRuleFilter("size > 10")));
      rules.deleteRule("$Default");
      equal(
          List.of("large"),
          rules.listRules().stream().map(rule -> rule.getName()).collect(Collectors.toList()));
    }
  }

  private void crossEntityTransaction() {
    var client = connect().enableCrossEntityTransactions();
    try (var filler = sender("orders");
        var receiver = receiver(client, "orders");
        var bills = client.sender().queueName("bills").buildClient();
        var browser = receiver(connect(), "bills")) {
      filler.sendMessage(new ServiceBusMessage("order"));
      var order = next(receiver);
      var transaction = receiver.createTransaction();
      receiver.complete(order, new CompleteOptions().setTransactionContext(transaction));
      bills.sendMessage(new ServiceBusMessage("bill"), transaction);
      receiver.commitTransaction(transaction);
      equal(List.of("bill"), peeked(browser));
      equal(List.of(), peeked(receiver));
    }
  }
}
