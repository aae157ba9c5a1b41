package io.peeklock.conformance.sdk;

import static io.peeklock.conformance.sdk.Refused.refusedAs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.models.AbandonOptions;
import com.azure.messaging.servicebus.models.DeferOptions;
import com.azure.messaging.servicebus.models.ServiceBusMessageState;
import io.peeklock.conformance.QueueKind;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.TestQueue;
import io.peeklock.conformance.WithBroker;
import io.peeklock.proof.Rule;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithBroker.class)
class SettlementTest {

  @Test
  @Rule({"S-003", "S-030", "S-031", "S-089"})
  void aCompletedMessageIsGone(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    orders.send("order-1", "order-2");

    orders.receiver().complete(orders.receive());

    assertThat(TestQueue.bodies(orders.everything())).containsExactly("order-2");
  }

  @Test
  @Rule({"S-028", "S-032", "S-120", "S-137", "S-118", "T-41"})
  void anAbandonedMessageIsBackInFrontAtOnceWithOneMoreFailure(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    orders.send("order-1", "order-2");
    var first = orders.receive();

    orders.receiver().abandon(first);
    var again = orders.receive(2);

    assertThat(TestQueue.bodies(again)).containsExactly("order-1", "order-2");
    assertThat(first.getDeliveryCount()).isZero();
    assertThat(again.get(0).getDeliveryCount()).isEqualTo(1);
    assertThat(again.get(1).getDeliveryCount()).isZero();
    assertThat(again.get(0).getLockToken()).isNotEqualTo(first.getLockToken());
  }

  @Test
  @Rule({"S-082", "S-072", "S-145", "T-73"})
  void propertiesGivenWithAnAbandonAreMergedAndTheOthersKeepTheirTypes(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    var message = new ServiceBusMessage("order-1");
    var id = UUID.randomUUID();
    var when = Date.from(Instant.ofEpochMilli(1_700_000_000_123L));
    message
        .getApplicationProperties()
        .putAll(Map.of("id", id, "when", when, "letter", 'x', "attempt", 1, "name", "old"));
    orders.sender().sendMessage(message);

    var changes = Map.<String, Object>of("attempt", 2, "name", "new", "fresh", 7L);
    orders
        .receiver()
        .abandon(orders.receive(), new AbandonOptions().setPropertiesToModify(changes));
    var again = orders.receive();

    assertThat(again.getApplicationProperties())
        .isEqualTo(
            Map.of(
                "id", id, "when", when, "letter", 'x', "attempt", 2, "name", "new", "fresh", 7L));
    assertThat(again.getBody().toString()).isEqualTo("order-1");
  }

  @Test
  @Rule({"S-083"})
  void propertiesChangedOnlyOnTheClientsCopyAreNotKept(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    orders.send("order-1");
    var first = orders.receive();

    first.getRawAmqpMessage().getApplicationProperties().put("mine", true);
    orders.receiver().abandon(first);

    assertThat(orders.receive().getApplicationProperties()).isEmpty();
  }

  @Test
  @Rule({"S-036", "S-206", "S-207", "S-123", "S-212", "T-37"})
  void aDeferredMessageWaitsForWhoKnowsItsNumber(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    orders.send("set aside", "next");
    var first = orders.receive();

    orders
        .receiver()
        .defer(
            first,
            new DeferOptions().setPropertiesToModify(Map.<String, Object>of("why", "later")));
    var next = orders.receive();
    var back = orders.receiver().receiveDeferredMessage(first.getSequenceNumber());

    assertThat(next.getBody().toString()).isEqualTo("next");
    assertThat(back.getBody().toString()).isEqualTo("set aside");
    assertThat(back.getApplicationProperties()).containsEntry("why", "later");
    assertThat(back.getDeliveryCount()).isEqualTo(1);
    assertThat(back.getLockedUntil()).isNotNull();
    assertThat(back.getLockToken()).isNotEqualTo(first.getLockToken());
    orders.receiver().complete(back);
    assertThat(TestQueue.bodies(orders.everything())).containsExactly("next");
  }

  @Test
  @Rule({"S-210", "S-212", "S-213", "T-46"})
  void severalDeferredMessagesComeInTheOrderAskedForAndAreSettledEachInItsWay(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    orders.send("a", "b", "c", "d");
    orders.receive(4).forEach(orders.receiver()::defer);

    var back =
        orders.receiver().receiveDeferredMessageBatch(List.of(3L, 1L, 4L, 2L)).stream().toList();

    assertThat(TestQueue.bodies(back)).containsExactly("c", "a", "d", "b");
    orders.receiver().complete(back.get(0));
    orders.receiver().abandon(back.get(1));
    orders.receiver().defer(back.get(2));
    orders.receiver().deadLetter(back.get(3));
    var left = orders.everything();
    assertThat(TestQueue.bodies(left)).containsExactly("a", "d");
    assertThat(left)
        .allSatisfy(
            message -> {
              assertThat(message.getState()).isEqualTo(ServiceBusMessageState.DEFERRED);
              assertThat(message.getDeliveryCount()).isEqualTo(2);
            });
    assertThat(TestQueue.bodies(orders.deadLetters())).containsExactly("b");
  }

  @Test
  @Rule({"S-208", "S-211", "S-214", "S-505"})
  void oneNumberThatIsNotThereFailsTheWholeCall(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    orders.send("a", "active");
    orders.receiver().defer(orders.receive());

    for (var numbers : List.of(List.of(1L, 99L), List.of(1L, 2L))) {
      assertThat(orders.receiver().receiveDeferredMessageBatch(numbers).stream()).isEmpty();
    }
    assertThatThrownBy(() -> orders.receiver().receiveDeferredMessage(99))
        .isInstanceOf(RuntimeException.class);

    var back = orders.receiver().receiveDeferredMessage(1);
    assertThat(back.getBody().toString()).isEqualTo("a");
    assertThat(orders.receiver().receiveDeferredMessageBatch(List.of(1L)).stream()).isEmpty();
  }

  @Test
  @Rule({"S-117", "S-098", "S-502"})
  void aSettledMessageCannotBeSettledAgain(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    orders.send("order-1");
    var message = orders.receive();
    orders.receiver().complete(message);
    var other = orders.anotherReceiver();

    assertThatThrownBy(() -> other.renewMessageLock(message))
        .satisfies(refusedAs(ServiceBusFailureReason.MESSAGE_LOCK_LOST));
  }
}
