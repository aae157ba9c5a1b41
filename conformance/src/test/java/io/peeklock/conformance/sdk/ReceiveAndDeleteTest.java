package io.peeklock.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.models.ServiceBusReceiveMode;
import com.azure.messaging.servicebus.models.SubQueue;
import io.peeklock.conformance.QueueKind;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.TestQueue;
import io.peeklock.conformance.WithBroker;
import io.peeklock.proof.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithBroker.class)
class ReceiveAndDeleteTest {

  @Test
  @Rule({"S-020", "S-021", "S-096", "S-119", "T-44"})
  void aTakenMessageIsGone(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    orders.send("a", "b", "c");

    var taken = TestQueue.next(orders.takingReceiver(), 2);

    assertThat(TestQueue.bodies(taken)).containsExactly("a", "b");
    assertThat(taken.getFirst().getDeliveryCount()).isZero();
    assertThat(TestQueue.bodies(orders.everything())).containsExactly("c");
  }

  @Test
  @Rule("S-023")
  void thereIsNothingLeftToSettle(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    orders.send("a");
    var receiver = orders.takingReceiver();
    var taken = TestQueue.next(receiver);

    assertThatThrownBy(() -> receiver.complete(taken))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> receiver.renewMessageLock(taken)).isInstanceOf(RuntimeException.class);
  }

  @Test
  @Rule({"S-207", "S-184"})
  void deferredMessagesAndDeadLettersAreTakenToo(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    orders.send("deferred", "dead-lettered");
    var both = orders.receive(2);
    orders.receiver().defer(both.get(0));
    orders.receiver().deadLetter(both.get(1));

    var deferred =
        orders.takingReceiver().receiveDeferredMessageBatch(List.of(1L)).stream().toList();
    var deadLetterReceiver =
        sdk.closing(
            sdk.connection()
                .receiver()
                .queueName(orders.name())
                .subQueue(SubQueue.DEAD_LETTER_QUEUE)
                .receiveMode(ServiceBusReceiveMode.RECEIVE_AND_DELETE)
                .buildClient());
    var dead = TestQueue.next(deadLetterReceiver);

    assertThat(TestQueue.bodies(deferred)).containsExactly("deferred");
    assertThat(dead.getBody().toString()).isEqualTo("dead-lettered");
    assertThat(orders.everything()).isEmpty();
    assertThat(orders.deadLetters()).isEmpty();
  }
}
