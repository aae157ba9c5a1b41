package io.peeklock.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusTransactionContext;
import com.azure.messaging.servicebus.models.CompleteOptions;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.TestQueue;
import io.peeklock.proof.Rule;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How far transactions of the official client reach, in a profile with the vendor's limits. */
class TransactionReachTest {
  private static final int LARGE = 3 << 20;

  private final BrokerProcess broker =
      BrokerProcess.start(
          Folders.fresh("reach"),
          List.of(
              "--profile",
              "premium",
              "--queue",
              "orders",
              "--queue",
              "bills,MaxMessageSizeInKilobytes=10240",
              "--topic",
              "events",
              "--subscription",
              "events/audit"));
  private final ServiceBusClientBuilder connection =
      Sdk.connection(broker.connectionString()).enableCrossEntityTransactions();

  @AfterEach
  void stop() {
    broker.close();
  }

  private static CompleteOptions in(ServiceBusTransactionContext transaction) {
    return new CompleteOptions().setTransactionContext(transaction);
  }

  /** What lies in a queue, seen through another connection. */
  private List<String> content(String queue) {
    try (var other = receiver(queue)) {
      return TestQueue.bodies(other.peekMessages(10, 0).stream().toList());
    }
  }

  private ServiceBusReceiverClient receiver(String queue) {
    return Sdk.connection(broker.connectionString()).receiver().queueName(queue).buildClient();
  }

  @Test
  @Rule({"S-390", "S-392", "S-394", "I-27"})
  void aTransactionFromASubscriptionSendsToItsTopicAndToAQueue() {
    try (var audit =
            connection
                .receiver()
                .topicName("events")
                .subscriptionName("audit")
                .disableAutoComplete()
                .buildClient();
        var events = connection.sender().topicName("events").buildClient();
        var bills = connection.sender().queueName("bills").buildClient()) {
      events.sendMessage(new ServiceBusMessage("order"));
      var order = TestQueue.next(audit);

      var transaction = audit.createTransaction();
      audit.complete(order, in(transaction));
      bills.sendMessage(new ServiceBusMessage("bill"), transaction);
      events.sendMessage(new ServiceBusMessage("billed"), transaction);
      assertThat(content("bills")).isEmpty();
      audit.commitTransaction(transaction);

      assertThat(content("bills")).containsExactly("bill");
      assertThat(TestQueue.next(audit).getBody().toString()).isEqualTo("billed");
    }
  }

  @Test
  @Rule({"S-376", "S-160", "S-149"})
  void schedulesAndCancellationsArePartOfATransaction() {
    var later = OffsetDateTime.now(ZoneOffset.UTC).plusHours(1);
    try (var orders = connection.sender().queueName("orders").buildClient()) {
      var before = orders.scheduleMessage(new ServiceBusMessage("before"), later);

      var rolledBack = orders.createTransaction();
      var never = orders.scheduleMessage(new ServiceBusMessage("never"), later, rolledBack);
      orders.rollbackTransaction(rolledBack);
      var committed = orders.createTransaction();
      var first = orders.scheduleMessage(new ServiceBusMessage("first"), later, committed);
      var two = List.of(new ServiceBusMessage("second"), new ServiceBusMessage("third"));
      var numbers = new ArrayList<Long>(); // this client asks only when they are read
      orders.scheduleMessages(two, later, committed).forEach(numbers::add);
      assertThat(content("orders")).containsExactly("before");
      orders.commitTransaction(committed);

      assertThat(content("orders")).containsExactly("before", "first", "second", "third");
      orders.cancelScheduledMessage(first);
      orders.cancelScheduledMessages(numbers);
      assertThat(content("orders")).containsExactly("before");
      assertThat(List.of(before, never, first, numbers.get(0))).doesNotHaveDuplicates();
    }
  }

  @Test
  @Rule({"S-379", "S-380", "I-27", "I-29"})
  void largeMessagesOfATransactionOutliveAKillOnceItIsCommitted() {
    var large = new byte[LARGE];
    large[LARGE - 1] = 7;
    try (var receiver =
            connection.receiver().queueName("orders").disableAutoComplete().buildClient();
        var orders = connection.sender().queueName("orders").buildClient();
        var bills = connection.sender().queueName("bills").buildClient()) {
      orders.sendMessage(new ServiceBusMessage("order"));
      var order = TestQueue.next(receiver);
      var open = receiver.createTransaction();
      bills.sendMessage(new ServiceBusMessage("x".repeat(LARGE)), open);
      var transaction = receiver.createTransaction();
      receiver.complete(order, in(transaction));
      bills.sendMessage(new ServiceBusMessage("small"), transaction);
      bills.sendMessage(new ServiceBusMessage(large), transaction);
      receiver.commitTransaction(transaction);

      broker.kill();
    }
    broker.restart();

    assertThat(content("orders")).isEmpty();
    try (var bills = receiver("bills")) {
      assertThat(TestQueue.next(bills).getBody().toString()).isEqualTo("small");
      assertThat(TestQueue.next(bills).getBody().toBytes()).isEqualTo(large);
      assertThat(bills.peekMessages(10, 3)).isEmpty();
    }
  }
}
