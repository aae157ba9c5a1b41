package io.peeklock.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverAsyncClient;
import io.peeklock.conformance.QueueKind;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.TestQueue;
import io.peeklock.conformance.WithBroker;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Flux;

@ExtendWith(WithBroker.class)
class AsyncTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  @Rule({"S-009", "S-030", "S-417"})
  void prefetchedMessagesAreReceivedAndCompletedAsync(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    sendMany(orders, 300);
    var receiver = receiver(sdk, orders, 20);

    var bodies =
        receiver
            .receiveMessages()
            .flatMapSequential(
                message -> receiver.complete(message).thenReturn(message.getBody().toString()), 16)
            .take(300)
            .collectList()
            .block(PATIENCE);

    assertThat(bodies).hasSize(300).doesNotHaveDuplicates();
    // Messages in the client's buffer may still be on their way back, but nothing was left over.
    assertThat(orders.everything()).isEmpty();
  }

  @Test
  @Rule({"S-086", "S-114", "S-092"})
  void prefetchedMessagesOfAClosedClientComeBack(Sdk sdk) {
    var orders = sdk.queue(QueueKind.SHORT_LOCK);
    sendMany(orders, 20);
    var receiver = receiver(sdk, orders, 10);

    var first = receiver.receiveMessages().next().block(PATIENCE);
    receiver.close();
    var again = orders.receive(20);

    assertThat(first).isNotNull();
    assertThat(TestQueue.bodies(again)).doesNotHaveDuplicates();
  }

  @Test
  @Rule({"S-102", "T-70", "T-71"})
  void moreThanFiveThousandMessagesMayBeUnsettledOnOneLink(Sdk sdk) {
    var count = 5_010;
    var orders = sdk.queue(QueueKind.PLAIN);
    for (var sent = 0; sent < count; sent += 501) {
      sendMany(orders, 501);
    }
    var receiver = receiver(sdk, orders, 100);

    // The client gives as much credit as is asked for at once, and cannot buffer thousands.
    var held = receiver.receiveMessages().take(count).limitRate(100).collectList().block(PATIENCE);
    assertThat(held).hasSize(count);
    var all = held == null ? List.<ServiceBusReceivedMessage>of() : held;
    assertThat(all.stream().map(message -> message.getLockToken())).doesNotHaveDuplicates();
    // The subscription is over, so the client settles these through the management node.
    Flux.fromIterable(all.subList(0, 100)).flatMap(receiver::complete).then().block(PATIENCE);

    assertThat(orders.receiver().peekMessages(1).stream().toList())
        .first()
        .extracting(ServiceBusReceivedMessage::getSequenceNumber)
        .isEqualTo(101L);
  }

  @Test
  @Rule({"S-218", "S-206", "S-105"})
  void everyOtherCallHasItsAsyncTwin(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    orders.send("a", "b");
    var receiver = receiver(sdk, orders, 0);
    var held = receiver.receiveMessages().take(2).collectList().block(PATIENCE);
    var both = held == null ? List.<ServiceBusReceivedMessage>of() : held;

    var renewed = receiver.renewMessageLock(both.get(0)).block(PATIENCE);
    receiver.defer(both.get(0)).then(receiver.abandon(both.get(1))).block(PATIENCE);
    var deferred = receiver.receiveDeferredMessage(1).block(PATIENCE);
    var peeked = receiver.peekMessages(10, 0).collectList().block(PATIENCE);

    assertThat(renewed).isNotNull();
    assertThat(deferred).isNotNull();
    assertThat(peeked).hasSize(2);
  }

  private static ServiceBusReceiverAsyncClient receiver(Sdk sdk, TestQueue queue, int prefetch) {
    return sdk.closing(
        sdk.connection()
            .receiver()
            .queueName(queue.name())
            .prefetchCount(prefetch)
            .maxAutoLockRenewDuration(Duration.ZERO)
            .disableAutoComplete()
            .buildAsyncClient());
  }

  private static void sendMany(TestQueue queue, int count) {
    queue
        .sender()
        .sendMessages(
            IntStream.range(0, count).mapToObj(i -> new ServiceBusMessage("m" + i)).toList());
  }
}
