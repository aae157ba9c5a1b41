package io.peeklock.conformance.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusMessage;
import io.peeklock.conformance.Patience;
import io.peeklock.conformance.QueueKind;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.WithBroker;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What Prometheus reads while the unmodified client for Java works. */
@ExtendWith(WithBroker.class)
class MetricsTest {
  private static final String DEAD_LETTERS = "/$DeadLetterQueue";

  @Test
  @Rule({"S-493", "S-497"})
  void whatHappensToMessagesIsCountedForTheirEntity(Sdk sdk)
      throws IOException, InterruptedException {
    var queue = sdk.queue(QueueKind.PLAIN);
    queue.send("one", "two", "three", "four");
    var got = queue.receive(4);
    queue.receiver().complete(got.get(0));
    queue.receiver().abandon(got.get(1));
    queue.receiver().deadLetter(got.get(2));
    queue.receiver().defer(got.get(3));

    var page = Page.of(sdk.process().port());
    assertThat(page.of("peeklock_messages_incoming_total", queue.name())).isEqualTo(4);
    assertThat(page.of("peeklock_messages_incoming_bytes_total", queue.name())).isGreaterThan(15);
    assertThat(page.of("peeklock_messages_outgoing_total", queue.name())).isGreaterThanOrEqualTo(4);
    assertThat(page.of("peeklock_messages_completed_total", queue.name())).isEqualTo(1);
    assertThat(page.of("peeklock_messages_abandoned_total", queue.name())).isEqualTo(1);
    assertThat(page.of("peeklock_messages_dead_lettered_total", queue.name())).isEqualTo(1);
    assertThat(page.of("peeklock_messages_deferred_total", queue.name())).isEqualTo(1);
    assertThat(page.of("peeklock_messages", queue.name(), "active")).isEqualTo(2);
    assertThat(page.part(queue.name(), "deferred")).isEqualTo(1);
    assertThat(page.part(queue.name(), "locked")).isZero();
    assertThat(page.of("peeklock_messages", queue.name(), "dead_letter")).isEqualTo(1);
    assertThat(page.of("peeklock_entity_size_bytes", queue.name())).isGreaterThan(10);
    assertThat(page.of("peeklock_messages_outgoing_total", queue.name() + DEAD_LETTERS)).isZero();

    queue.deadLetterReceiver().complete(queue.receiveDeadLetter());

    page = Page.of(sdk.process().port());
    assertThat(page.of("peeklock_messages_completed_total", queue.name() + DEAD_LETTERS))
        .isEqualTo(1);
    assertThat(page.of("peeklock_messages", queue.name(), "dead_letter")).isZero();
  }

  @Test
  @Rule("S-283")
  void aDroppedDuplicateIsIncoming(Sdk sdk) throws IOException, InterruptedException {
    var queue = sdk.queue(QueueKind.NO_DUPLICATES);
    for (var i = 0; i < 3; i++) {
      queue.sender().sendMessage(new ServiceBusMessage("again").setMessageId("same"));
    }

    var page = Page.of(sdk.process().port());
    assertThat(page.of("peeklock_messages_incoming_total", queue.name())).isEqualTo(3);
    assertThat(page.of("peeklock_messages_duplicates_total", queue.name())).isEqualTo(2);
    assertThat(page.of("peeklock_messages", queue.name(), "active")).isEqualTo(1);
  }

  @Test
  @Rule("S-493")
  void deliveriesAreToldApartByAttempt(Sdk sdk) throws IOException, InterruptedException {
    var queue = sdk.queue(QueueKind.PLAIN);
    queue.send("twice");
    queue.receiver().abandon(queue.receive());
    queue.receiver().complete(queue.receive());

    var page = Page.of(sdk.process().port());
    assertThat(page.attempts(queue.name(), "1")).isEqualTo(1);
    assertThat(page.attempts(queue.name(), "2")).isEqualTo(1);
    assertThat(page.attempts(queue.name(), "3-5")).isZero();
  }

  @Test
  @Rule("S-495")
  void aLostLockIsTheClientsError(Sdk sdk) throws IOException, InterruptedException {
    var queue = sdk.queue(QueueKind.SHORT_LOCK);
    queue.send("late");
    var message = queue.receive();
    Patience.until(
        "the lock is over",
        () -> message.getLockedUntil().isBefore(OffsetDateTime.now(ZoneOffset.UTC)));
    assertThatThrownBy(() -> queue.receiver().complete(message))
        .isInstanceOf(ServiceBusException.class);

    var page = Page.of(sdk.process().port());
    assertThat(page.of("peeklock_errors_lock_lost_total", queue.name())).isEqualTo(1);
    assertThat(page.of("peeklock_errors_user_total", queue.name())).isEqualTo(1);
    assertThat(page.of("peeklock_messages_locks_lapsed_total", queue.name())).isEqualTo(1);
  }

  @Test
  @Rule({"S-492", "S-493"})
  void whatIsUnderALockIsCountedAmongTheActive(Sdk sdk) throws IOException, InterruptedException {
    var queue = sdk.queue(QueueKind.PLAIN);
    queue.send("one", "two", "three");
    var held = queue.receive(2);

    var page = Page.of(sdk.process().port());
    assertThat(page.of("peeklock_messages", queue.name(), "active")).isEqualTo(3);
    assertThat(page.part(queue.name(), "locked")).isBetween(2.0, 3.0); // or prefetched too

    held.forEach(queue.receiver()::complete);
    queue.receiver().complete(queue.receive());
    page = Page.of(sdk.process().port());
    assertThat(page.part(queue.name(), "locked")).isZero();
  }

  @Test
  @Rule("S-493")
  void theBrokerItselfIsMeasured(Sdk sdk) throws IOException, InterruptedException {
    sdk.queue(QueueKind.PLAIN).send("synced");

    var page = Page.of(sdk.process().port());
    assertThat(page.of("peeklock_connections")).isGreaterThanOrEqualTo(2);
    assertThat(page.of("peeklock_connections_opened_total")).isGreaterThanOrEqualTo(2);
    assertThat(page.of("peeklock_connections_unheard_total")).isZero();
    assertThat(page.of("peeklock_log_sync_seconds_count")).isPositive();
    assertThat(page.of("peeklock_log_size_bytes")).isPositive();
    assertThat(page.of("peeklock_shard_step_seconds_count")).isPositive();
    assertThat(page.names())
        .contains("jvm_memory_used_bytes", "process_cpu_usage", "process_uptime_seconds");
  }
}
