package io.peeklock.conformance.sdk;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.models.ServiceBusMessageState;
import io.peeklock.conformance.Patience;
import io.peeklock.conformance.QueueKind;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.TestQueue;
import io.peeklock.conformance.WithBroker;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithBroker.class)
@LongProof
class ScheduleTest {

  private static OffsetDateTime in(long millis) {
    return OffsetDateTime.now(UTC).plus(Duration.ofMillis(millis));
  }

  @Test
  @Rule({"S-148", "S-149", "S-151", "S-152", "S-220", "S-226", "I-31"})
  void aScheduledMessageComesWhenItIsDue(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    orders.send("now");
    assertThat(orders.everything()).hasSize(1); // the clients are connected from here on
    var due = in(5_000);

    var number = orders.sender().scheduleMessage(new ServiceBusMessage("later"), due);
    var waiting = orders.everything().get(1);
    var first = orders.receive();
    orders.receiver().complete(first);
    var later = orders.receive();

    assertThat(waiting.getSequenceNumber()).isEqualTo(number);
    assertThat(waiting.getState()).isEqualTo(ServiceBusMessageState.SCHEDULED);
    assertThat(first.getBody().toString()).isEqualTo("now");
    assertThat(later.getBody().toString()).isEqualTo("later");
    assertThat(later.getSequenceNumber()).isGreaterThan(first.getSequenceNumber());
    assertThat(later.getEnqueuedTime())
        .isBetween(due.minusNanos(1_000_000), due.plus(Duration.ofSeconds(1)));
    assertThat(OffsetDateTime.now(UTC)).isAfterOrEqualTo(due.minusNanos(1_000_000));
    assertThat(later.getScheduledEnqueueTime().toInstant().toEpochMilli())
        .isEqualTo(due.toInstant().toEpochMilli());
  }

  @Test
  @Rule({"S-148", "S-150", "S-406"})
  void aSendMayBeScheduledAndATimeThatIsPastMeansNow(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    orders
        .sender()
        .sendMessages(
            List.of(
                new ServiceBusMessage("later").setScheduledEnqueueTime(in(3_600_000)),
                new ServiceBusMessage("at once").setScheduledEnqueueTime(in(-1_000))));

    assertThat(orders.receive().getBody().toString()).isEqualTo("at once");
    assertThat(orders.everything()) // also what was scheduled and is active says so
        .extracting(ServiceBusReceivedMessage::getState)
        .containsExactly(ServiceBusMessageState.SCHEDULED, ServiceBusMessageState.SCHEDULED);
  }

  @Test
  @Rule({"S-149", "S-153", "S-154", "S-155"})
  void whatIsCancelledNeverComes(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    var sender = orders.sender();
    var numbers =
        StreamSupport.stream(
                sender
                    .scheduleMessages(
                        List.of(
                            new ServiceBusMessage("a"),
                            new ServiceBusMessage("b"),
                            new ServiceBusMessage("c")),
                        in(5_000))
                    .spliterator(),
                false)
            .toList();

    sender.cancelScheduledMessages(numbers.subList(0, 2));

    // All or none: "c" stays. This client takes the answer "not found" for success (amqp.md 7.3).
    sender.cancelScheduledMessages(List.of(numbers.get(2), numbers.get(0)));

    assertThat(TestQueue.bodies(orders.everything())).containsExactly("c");
    assertThat(orders.receive().getBody().toString()).isEqualTo("c");
  }

  @Test
  @Rule({"S-266", "S-274", "S-276", "S-281", "I-33"})
  void anIdThatWasSeenIsDroppedAndAcceptedAllTheSame(Sdk sdk) {
    var orders = sdk.queue(QueueKind.NO_DUPLICATES);
    orders.sender().sendMessage(new ServiceBusMessage("a").setMessageId("1"));
    orders.sender().sendMessage(new ServiceBusMessage("again").setMessageId("1"));
    orders.sender().scheduleMessage(new ServiceBusMessage("again").setMessageId("1"), in(1_000));
    orders.sender().sendMessage(new ServiceBusMessage("b").setMessageId("2"));
    orders.send("without", "without");

    assertThat(TestQueue.bodies(orders.everything()))
        .containsExactly("a", "b", "without", "without");
    Patience.until(
        "the window is over",
        Duration.ofSeconds(40),
        () -> {
          orders.sender().sendMessage(new ServiceBusMessage("a later one").setMessageId("1"));
          return TestQueue.bodies(orders.everything()).contains("a later one");
        });
  }
}
