package io.peeklock.conformance.sdk;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.util.BinaryData;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import io.peeklock.conformance.QueueKind;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.TestQueue;
import io.peeklock.conformance.WithBroker;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

@ExtendWith(WithBroker.class)
class SendTest {

  @Test
  @Rule({"S-001", "S-004", "S-005"})
  void anAcceptedMessageIsThereThoughNobodyWaitsForIt(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);

    orders.sender().sendMessage(new ServiceBusMessage("order-1").setMessageId("id-1"));

    var message = orders.receive();
    assertThat(message.getBody().toString()).isEqualTo("order-1");
    assertThat(message.getMessageId()).isEqualTo("id-1");
  }

  @Test
  @Rule({"S-405", "S-406"})
  void aListIsStoredInItsOrder(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);

    orders
        .sender()
        .sendMessages(
            List.of(
                new ServiceBusMessage("a").setMessageId("1"),
                new ServiceBusMessage("b").setSubject("second"),
                new ServiceBusMessage("c")));

    var all = orders.everything();
    assertThat(TestQueue.bodies(all)).containsExactly("a", "b", "c");
    assertThat(all.get(0).getMessageId()).isEqualTo("1");
    assertThat(all.get(1).getSubject()).isEqualTo("second");
    assertThat(all.get(2).getSubject()).isNull();
    assertThat(numbers(all)).isSorted().doesNotHaveDuplicates();
  }

  @Test
  @Rule({"S-405", "S-406", "T-51"})
  void aBatchIsStoredMessageByMessage(Sdk sdk) {
    var orders = sdk.queue(QueueKind.SMALL_MESSAGES);
    var batch = orders.sender().createMessageBatch();
    var first = new ServiceBusMessage("a");
    first.getApplicationProperties().put("n", 1);
    var second = new ServiceBusMessage("b");
    second.getApplicationProperties().put("n", 2);

    assertThat(batch.tryAddMessage(first)).isTrue();
    assertThat(batch.tryAddMessage(second)).isTrue();
    orders.sender().sendMessages(batch);

    var all = orders.everything();
    assertThat(TestQueue.bodies(all)).containsExactly("a", "b");
    assertThat(all.get(0).getApplicationProperties()).containsEntry("n", 1);
    assertThat(all.get(1).getApplicationProperties()).containsEntry("n", 2);
  }

  @Test
  @Rule("S-407")
  void aBatchTakesNoMoreThanTheQueueDoes(Sdk sdk) {
    var orders = sdk.queue(QueueKind.SMALL_MESSAGES);
    var batch = orders.sender().createMessageBatch();
    var large = new ServiceBusMessage(BinaryData.fromBytes(new byte[100_000]));

    assertThat(batch.getMaxSizeInBytes()).isEqualTo(256 * 1024);
    assertThat(batch.tryAddMessage(large)).isTrue();
    assertThat(batch.tryAddMessage(large)).isTrue();
    assertThat(batch.tryAddMessage(large)).isFalse();
    orders.sender().sendMessages(batch);

    assertThat(orders.everything()).hasSize(2);
  }

  @Test
  @Rule({"S-511", "S-007", "S-008"})
  void aMessageLargerThanTheQueueTakesIsRefused(Sdk sdk) {
    var orders = sdk.queue(QueueKind.SMALL_MESSAGES);
    var tooLarge = new ServiceBusMessage(BinaryData.fromBytes(new byte[300 * 1024]));

    assertThatThrownBy(() -> orders.sender().sendMessage(tooLarge))
        .isInstanceOfSatisfying(
            ServiceBusException.class,
            refused -> {
              assertThat(refused.getReason())
                  .isEqualTo(ServiceBusFailureReason.MESSAGE_SIZE_EXCEEDED);
              assertThat(refused.isTransient()).isFalse();
            });

    orders.send("still welcome");
    assertThat(TestQueue.bodies(orders.everything())).containsExactly("still welcome");
  }

  @Test
  @Rule({"S-140", "S-141", "S-144"})
  void numbersStartAtOneAndGrowByOneAndTimeIsTheBrokers(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    var before = OffsetDateTime.now(UTC).minusSeconds(2);

    orders.send("a", "b", "c");

    var all = orders.everything();
    assertThat(numbers(all)).containsExactly(1L, 2L, 3L);
    assertThat(all)
        .allSatisfy(
            message ->
                assertThat(message.getEnqueuedTime())
                    .isAfter(before)
                    .isBefore(OffsetDateTime.now(UTC).plusSeconds(2)));
  }

  @Test
  @Rule("T-68")
  void aMessageWithoutAnIdGetsOne(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);

    orders.send("nameless", "nameless");

    var ids = orders.receive(2).stream().map(ServiceBusReceivedMessage::getMessageId).toList();
    assertThat(ids).doesNotContainNull().doesNotHaveDuplicates();
  }

  @Test
  @Rule({"S-009", "S-012", "S-015", "S-103"})
  void twoThousandSendsAtOnceAreAllAccepted(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    var sender = sdk.closing(sdk.connection().sender().queueName(orders.name()).buildAsyncClient());
    var sends = new ArrayList<Mono<Void>>();
    for (var i = 0; i < 2_000; i++) {
      sends.add(sender.sendMessage(new ServiceBusMessage("m" + i)));
    }

    Flux.merge(Flux.fromIterable(sends), 2_000).then().block(Duration.ofSeconds(60));

    var bodies = TestQueue.bodies(orders.receive(2_000));
    var expected = IntStream.range(0, 2_000).mapToObj(i -> "m" + i).toList();
    assertThat(bodies).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  @Rule({"S-135", "I-15"})
  void aThousandMessagesComeInTheirOrder(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    var expected = IntStream.range(0, 1_000).mapToObj(i -> "m" + i).toList();
    for (var start = 0; start < 1_000; start += 250) {
      orders
          .sender()
          .sendMessages(
              expected.subList(start, start + 250).stream().map(ServiceBusMessage::new).toList());
    }

    var received = orders.receive(1_000);

    assertThat(TestQueue.bodies(received)).isEqualTo(expected);
    assertThat(numbers(received)).isSorted();
  }

  private static List<Long> numbers(List<ServiceBusReceivedMessage> messages) {
    return messages.stream().map(ServiceBusReceivedMessage::getSequenceNumber).toList();
  }
}
