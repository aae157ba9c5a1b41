package io.peeklock.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.ServiceBusTransactionContext;
import com.azure.messaging.servicebus.models.AbandonOptions;
import com.azure.messaging.servicebus.models.CompleteOptions;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import com.azure.messaging.servicebus.models.DeferOptions;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.QueueKind;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.TestQueue;
import io.peeklock.conformance.WithBroker;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Transactions of the official client, within one queue and across several. */
@ExtendWith(WithBroker.class)
@LongProof
class TransactionTest {

  private static ServiceBusSenderClient sender(
      Sdk sdk, ServiceBusClientBuilder connection, TestQueue queue) {
    return sdk.closing(connection.sender().queueName(queue.name()).buildClient());
  }

  private static ServiceBusReceiverClient receiver(
      Sdk sdk, ServiceBusClientBuilder connection, TestQueue queue) {
    return sdk.closing(
        connection
            .receiver()
            .queueName(queue.name())
            .maxAutoLockRenewDuration(Duration.ZERO)
            .disableAutoComplete()
            .buildClient());
  }

  private static CompleteOptions in(ServiceBusTransactionContext transaction) {
    return new CompleteOptions().setTransactionContext(transaction);
  }

  @Test
  @Rule({"S-376", "S-379", "S-380", "S-385", "T-63", "I-28"})
  void whatIsSentIsThereAfterTheCommitAndNotAfterARollback(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    var sender = sender(sdk, sdk.connection(), orders);

    var rolledBack = sender.createTransaction();
    sender.sendMessage(new ServiceBusMessage("never"), rolledBack);
    sender.rollbackTransaction(rolledBack);
    var committed = sender.createTransaction();
    sender.sendMessage(new ServiceBusMessage("order-1"), committed);
    sender.sendMessages(
        List.of(new ServiceBusMessage("order-2"), new ServiceBusMessage("order-3")), committed);
    var before = TestQueue.bodies(orders.everything());
    sender.commitTransaction(committed);

    assertThat(before).isEmpty();
    assertThat(TestQueue.bodies(orders.receive(3)))
        .containsExactly("order-1", "order-2", "order-3");
  }

  @Test
  @Rule({"S-376", "S-379", "S-390", "I-27"})
  void aMessageIsReplacedByItsSuccessor(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    orders.send("step-1");
    var connection = sdk.connection();
    var sender = sender(sdk, connection, orders);
    var receiver = receiver(sdk, connection, orders);
    var first = TestQueue.next(receiver);

    var transaction = receiver.createTransaction();
    receiver.complete(first, in(transaction));
    sender.sendMessage(new ServiceBusMessage("step-2"), transaction);
    receiver.commitTransaction(transaction);

    assertThat(TestQueue.bodies(orders.everything())).containsExactly("step-2");
  }

  @Test
  @Rule({"S-376", "S-082"})
  void everyWayToSettleMayBePartOfATransaction(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    orders.send("abandoned", "deferred", "dead-lettered", "completed");
    var receiver = receiver(sdk, sdk.connection(), orders);
    var held = TestQueue.next(receiver, 4);

    var transaction = receiver.createTransaction();
    receiver.abandon(
        held.get(0),
        new AbandonOptions()
            .setPropertiesToModify(Map.of("why", "later"))
            .setTransactionContext(transaction));
    receiver.defer(held.get(1), new DeferOptions().setTransactionContext(transaction));
    receiver.deadLetter(
        held.get(2),
        new DeadLetterOptions().setDeadLetterReason("bad").setTransactionContext(transaction));
    receiver.complete(held.get(3), in(transaction));
    receiver.commitTransaction(transaction);

    var again = orders.receive();
    assertThat(again.getBody().toString()).isEqualTo("abandoned");
    assertThat(again.getApplicationProperties()).containsEntry("why", "later");
    assertThat(again.getDeliveryCount()).isEqualTo(1);
    assertThat(orders.receiveDeadLetter().getDeadLetterReason()).isEqualTo("bad");
    assertThat(TestQueue.bodies(orders.everything())).containsExactly("abandoned", "deferred");
  }

  @Test
  @Rule({"S-380", "S-382"})
  void aRolledBackMessageIsThereStillAndComesAgainWhenItsLockLapsed(Sdk sdk) {
    var orders = sdk.queue(QueueKind.SHORT_LOCK);
    orders.send("order-1");
    var receiver = receiver(sdk, sdk.connection(), orders);
    var message = TestQueue.next(receiver);

    var transaction = receiver.createTransaction();
    receiver.complete(message, in(transaction));
    receiver.rollbackTransaction(transaction);

    assertThat(TestQueue.bodies(orders.everything())).containsExactly("order-1");
    assertThat(orders.receive().getDeliveryCount()).isEqualTo(1);
  }

  @Test
  @Rule({"S-390", "S-392", "S-395", "I-27"})
  void aTransactionSpansQueuesInTheCrossEntityMode(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    var bills = sdk.queue(QueueKind.PLAIN);
    var letters = sdk.queue(QueueKind.PLAIN);
    orders.send("order-1", "order-2");
    var connection = sdk.connection().enableCrossEntityTransactions();
    var receiver = receiver(sdk, connection, orders);
    var billing = sender(sdk, connection, bills);
    var writing = sender(sdk, connection, letters);
    var held = TestQueue.next(receiver, 2);

    var rolledBack = receiver.createTransaction();
    receiver.complete(held.get(0), in(rolledBack));
    billing.sendMessage(new ServiceBusMessage("never"), rolledBack);
    receiver.rollbackTransaction(rolledBack);
    var committed = receiver.createTransaction();
    receiver.complete(held.get(1), in(committed));
    billing.sendMessage(new ServiceBusMessage("bill-2"), committed);
    writing.sendMessage(new ServiceBusMessage("letter-2"), committed);
    receiver.commitTransaction(committed);

    assertThat(TestQueue.bodies(orders.everything())).containsExactly("order-1");
    assertThat(TestQueue.bodies(bills.everything())).containsExactly("bill-2");
    assertThat(TestQueue.bodies(letters.everything())).containsExactly("letter-2");
  }

  @Test
  @Rule({"S-388", "S-389", "S-399"})
  void theHundredAndFirstMessageFailsTheTransaction(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    var sender = sender(sdk, sdk.connection(), orders);
    var messages =
        IntStream.range(0, 100).mapToObj(i -> new ServiceBusMessage("order-" + i)).toList();

    var transaction = sender.createTransaction();
    sender.sendMessages(messages, transaction);
    try {
      sender.sendMessage(new ServiceBusMessage("one too many"), transaction);
    } catch (RuntimeException refused) {
      assertThat(refused).hasMessageContaining("100");
    }

    assertThatThrownBy(() -> sender.commitTransaction(transaction))
        .isInstanceOf(ServiceBusException.class)
        .hasMessageContaining("rolled back");
    assertThat(orders.everything()).isEmpty();
  }

  @Test
  @Rule({"S-395", "S-396", "S-398", "I-29", "I-30"})
  void aTransactionEndsWithItsConnectionAndIsOfNoUseOnAnother(Sdk sdk) {
    var orders = sdk.queue(QueueKind.SHORT_LOCK);
    orders.send("order-1");
    var connection = sdk.connection();
    var sender = connection.sender().queueName(orders.name()).buildClient();
    var receiver = connection.receiver().queueName(orders.name()).buildClient();
    var other = sender(sdk, sdk.connection(), orders);

    var transaction = sender.createTransaction();
    sender.sendMessage(new ServiceBusMessage("never"), transaction);
    receiver.complete(TestQueue.next(receiver), in(transaction));
    assertThatThrownBy(() -> other.commitTransaction(transaction))
        .isInstanceOf(ServiceBusException.class);
    receiver.close();
    sender.close();

    var again = orders.receive();
    assertThat(again.getBody().toString()).isEqualTo("order-1");
    assertThat(again.getDeliveryCount()).isEqualTo(1);
    assertThat(TestQueue.bodies(orders.everything())).containsExactly("order-1");
  }

  @Test
  @Rule({"S-404", "S-400"})
  void messagesOfSeveralSessionsAreSentInOneTransaction(Sdk sdk) {
    var orders = sdk.queue(QueueKind.SESSIONS);
    var sender = sender(sdk, sdk.connection(), orders);

    var transaction = sender.createTransaction();
    sender.sendMessage(new ServiceBusMessage("a").setSessionId("red"), transaction);
    sender.sendMessage(new ServiceBusMessage("b").setSessionId("blue"), transaction);
    sender.commitTransaction(transaction);

    try (var sessions = sdk.connection().sessionReceiver().queueName(orders.name()).buildClient();
        var blue = sessions.acceptSession("blue")) {
      assertThat(TestQueue.next(blue).getBody().toString()).isEqualTo("b");
    }
  }

  @Test
  @Rule({"I-27", "I-29", "I-01", "I-05", "S-380"})
  void aKillRightAfterTheCommitLosesNothingOfItAndKeepsNothingOfAnOpenOne() {
    try (var broker = BrokerProcess.withQueues(Folders.fresh("transactions"), "orders", "bills")) {
      var connection = Sdk.connection(broker.connectionString()).enableCrossEntityTransactions();
      try (var receiver =
              connection.receiver().queueName("orders").disableAutoComplete().buildClient();
          var orders = connection.sender().queueName("orders").buildClient();
          var bills = connection.sender().queueName("bills").buildClient()) {
        orders.sendMessages(
            List.of(new ServiceBusMessage("order-1"), new ServiceBusMessage("order-2")));
        var held = TestQueue.next(receiver, 2);
        var open = receiver.createTransaction();
        receiver.complete(held.get(1), in(open));
        bills.sendMessage(new ServiceBusMessage("never"), open);
        var transaction = receiver.createTransaction();
        receiver.complete(held.get(0), in(transaction));
        bills.sendMessage(new ServiceBusMessage("bill-1"), transaction);
        bills.sendMessage(new ServiceBusMessage("bill-2"), transaction);
        receiver.commitTransaction(transaction);

        broker.kill();
      }
      broker.restart();

      var again = Sdk.connection(broker.connectionString());
      try (var orders = again.receiver().queueName("orders").buildClient();
          var bills = again.receiver().queueName("bills").buildClient()) {
        assertThat(TestQueue.bodies(TestQueue.next(orders, 1))).containsExactly("order-2");
        assertThat(TestQueue.bodies(bills.peekMessages(10, 0).stream().toList()))
            .containsExactly("bill-1", "bill-2");
        assertThat(orders.peekMessages(10, 0)).hasSize(1);
      }
    }
  }
}
