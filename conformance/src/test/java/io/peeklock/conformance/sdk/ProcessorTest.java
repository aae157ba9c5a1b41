package io.peeklock.conformance.sdk;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusProcessorClient;
import com.azure.messaging.servicebus.ServiceBusReceivedMessageContext;
import io.peeklock.conformance.Patience;
import io.peeklock.conformance.QueueKind;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.TestQueue;
import io.peeklock.conformance.WithBroker;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithBroker.class)
@LongProof
class ProcessorTest {
  private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();

  @Test
  @Rule({"S-030", "S-051", "S-086"})
  void everyMessageIsHandledOnceAndCompleted(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    for (var i = 0; i < 100; i++) {
      orders.send("m" + i);
    }
    var handled = new ConcurrentLinkedQueue<String>();

    var processor =
        processor(
            sdk, orders, 8, context -> handled.add(context.getMessage().getBody().toString()));
    processor.start();
    Patience.until("all are handled", () -> handled.size() >= 100);
    Patience.until("all are completed", () -> orders.everything().isEmpty());

    assertThat(handled).hasSize(100).doesNotHaveDuplicates();
    assertThat(errors).isEmpty();
  }

  @Test
  @Rule({"S-026", "S-048", "S-049", "S-108"})
  void aHandlerMayTakeLongerThanTheLock(Sdk sdk) {
    var orders = sdk.queue(QueueKind.SHORT_LOCK);
    orders.send("slow");
    var deliveries = new ConcurrentLinkedQueue<Long>();

    var processor =
        processor(
            sdk,
            orders,
            1,
            context -> {
              deliveries.add(context.getMessage().getDeliveryCount());
              var first = context.getMessage().getLockedUntil();
              Patience.until(
                  "two locks are over",
                  () -> OffsetDateTime.now(UTC).isAfter(first.plusSeconds(7)));
            });
    processor.start();
    Patience.until("it is completed", () -> orders.everything().isEmpty());

    assertThat(deliveries).containsExactly(0L);
    assertThat(errors).isEmpty();
  }

  @Test
  @Rule({"S-032", "S-120"})
  void aHandlerThatThrowsGetsTheMessageAgain(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    orders.send("tricky");
    Set<Long> seen = ConcurrentHashMap.newKeySet();

    var processor =
        processor(
            sdk,
            orders,
            1,
            context -> {
              seen.add(context.getMessage().getDeliveryCount());
              if (context.getMessage().getDeliveryCount() < 2) {
                throw new IllegalStateException("not yet");
              }
            });
    processor.start();
    Patience.until("it is completed", () -> seen.contains(2L) && orders.everything().isEmpty());

    assertThat(seen).containsExactlyInAnyOrder(0L, 1L, 2L);
    assertThat(orders.deadLetters()).isEmpty();
  }

  private ServiceBusProcessorClient processor(
      Sdk sdk, TestQueue queue, int calls, Consumer<ServiceBusReceivedMessageContext> handler) {
    return sdk.closing(
        sdk.connection()
            .processor()
            .queueName(queue.name())
            .maxConcurrentCalls(calls)
            .maxAutoLockRenewDuration(Duration.ofSeconds(30))
            .processMessage(handler)
            .processError(context -> errors.add(context.getException()))
            .buildProcessorClient());
  }
}
