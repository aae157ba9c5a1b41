package io.peeklock.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.models.ServiceBusMessageState;
import io.peeklock.conformance.QueueKind;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.TestQueue;
import io.peeklock.conformance.WithBroker;
import io.peeklock.proof.Rule;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithBroker.class)
class PeekTest {

  @Test
  @Rule({"S-218", "S-225", "S-125"})
  void aPeekChangesNothing(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    orders.send("order-1");

    var peeked = orders.receiver().peekMessage();
    var again = orders.anotherReceiver().peekMessage();

    assertThat(peeked.getBody().toString()).isEqualTo("order-1");
    assertThat(peeked.getLockedUntil()).isNull();
    assertThat(again.getSequenceNumber()).isEqualTo(peeked.getSequenceNumber());
    assertThat(orders.receive().getDeliveryCount()).isZero();
  }

  @Test
  @Rule({"S-224", "T-48"})
  void aPeekIntoAnEmptyQueueIsEmpty(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);

    assertThat(orders.receiver().peekMessage()).isNull();
    assertThat(orders.receiver().peekMessages(10)).isEmpty();
  }

  @Test
  @Rule("S-221")
  void repeatedPeeksWalkOn(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    orders.send("a", "b", "c");

    var walked =
        IntStream.range(0, 3)
            .mapToObj(step -> orders.receiver().peekMessage().getBody().toString())
            .toList();

    assertThat(walked).containsExactly("a", "b", "c");
    assertThat(orders.receiver().peekMessage()).isNull();
  }

  @Test
  @Rule({"S-222", "S-223"})
  void aPeekFromANumberStartsThereAndBringsNoMoreThanAskedFor(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    orders.send("a", "b", "c", "d");

    var some = orders.receiver().peekMessages(2, 2).stream().toList();
    var gone = orders.receiver().peekMessages(5, 100).stream().toList();

    assertThat(TestQueue.bodies(some)).containsExactly("b", "c");
    assertThat(gone).isEmpty();
  }

  @Test
  @Rule({"S-219", "S-226", "S-215", "S-122"})
  void lockedAndDeferredMessagesAreSeenWithTheirStateAndDeadLettersAreNot(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    orders.send("deferred", "dead-lettered", "locked", "active");
    var first = orders.receive(3);
    orders.receiver().defer(first.get(0));
    orders.receiver().deadLetter(first.get(1));

    var all = orders.everything();

    assertThat(TestQueue.bodies(all)).containsExactly("deferred", "locked", "active");
    assertThat(all.stream().map(message -> message.getState()).toList())
        .isEqualTo(
            List.of(
                ServiceBusMessageState.DEFERRED,
                ServiceBusMessageState.ACTIVE,
                ServiceBusMessageState.ACTIVE));
    assertThat(all.stream().map(message -> message.getDeliveryCount()).toList())
        .isEqualTo(List.of(1L, 0L, 0L));
  }
}
