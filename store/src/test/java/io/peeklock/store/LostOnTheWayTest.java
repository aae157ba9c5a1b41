package io.peeklock.store;

import static io.peeklock.store.DataFolder.AUDIT;
import static io.peeklock.store.DataFolder.DEAD_ORDERS;
import static io.peeklock.store.DataFolder.EVENTS;
import static io.peeklock.store.DataFolder.MAIL;
import static io.peeklock.store.DataFolder.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.Copies;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.ForwardFact;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A message that is lost with its batch is missed where an intact batch moved it to. */
class LostOnTheWayTest {
  private static final long TIME = 1_790_000_000_000L;
  private static final QueueId BILLS = new QueueId(3);
  private static final QueueId DEAD_BILLS = new QueueId(4);

  @TempDir Path root;

  private Path folder() {
    return root.resolve("data");
  }

  private String planWithout(int batch) throws IOException {
    CommandResult.flip(
        CommandResult.onlySegment(folder()), CommandResult.offset(folder(), batch) + 30);
    var result = CommandResult.repair(folder(), root.resolve("repaired"));
    assertThat(result.code()).as("%s", result).isEqualTo(StoreMain.DAMAGED);
    return result.out();
  }

  private static Fact bills() {
    return new Fact.QueueCreated(BILLS, DEAD_BILLS, QueueDefinition.named("bills"), 0);
  }

  private static Fact forwarded(QueueId source, long number) {
    var numbers = new long[] {number};
    return new ForwardFact.Forwarded(source, numbers, BILLS, 1, TIME, null, null, null, "orders");
  }

  private static Copies allOf(QueueId subscription, long first) {
    return new Copies(subscription, first, null, null, null, null);
  }

  @Test
  @Rule({"I-11", "S-197"})
  void aDeadLetterThatWasForwarded() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.with(bills()).send(10).send(10).send(10);
      log.deadLetter(2).with(forwarded(DEAD_ORDERS, 2));
    }

    assertThat(planWithout(4))
        .contains("saved     orders: 2 kept")
        .contains("saved     orders/$deadletterqueue: 0 kept")
        .contains("LOSS      bills: 0 kept, 1 lost with their batch (1)");
  }

  /** Nothing that came later says that it ever had a number. */
  @Test
  @Rule({"I-11", "S-197"})
  void theLastOneOfItsQueue() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.with(bills()).send(10).send(10).deadLetter(2).with(forwarded(DEAD_ORDERS, 2));
    }

    assertThat(planWithout(4))
        .contains("saved     orders: 1 kept")
        .contains("LOSS      bills: 0 kept, 1 lost with their batch (1)");
  }

  @Test
  @Rule({"I-11", "I-36"})
  void oneThatWasForwardedBeforeItsQueueGotMore() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.with(bills()).send(10).send(10).with(forwarded(ORDERS, 2)).send(10);
    }

    assertThat(planWithout(4))
        .contains("saved     orders: 2 kept")
        .contains("LOSS      bills: 0 kept, 1 lost with their batch (1)");
  }

  @Test
  @Rule({"I-11", "I-36"})
  void noneThatWasDoneWithWhereItCameTo() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.with(bills()).send(10).send(10).with(forwarded(ORDERS, 2));
      log.with(new Fact.Completed(BILLS, new long[] {1})).send(10);
    }

    assertThat(planWithout(4)).contains("saved     bills: 0 kept").doesNotContain("LOSS");
  }

  @Test
  @Rule({"I-11", "S-156"})
  void oneThatWasScheduledToATopicAndPublished() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.carts().topic();
      log.with(scheduled(log, 1), 10).with(scheduled(log, 2), 10);
      var second = new int[] {1};
      var copies = new Copies[] {allOf(AUDIT, 1), new Copies(MAIL, 1, second, null, null, null)};
      log.with(new Fact.ScheduledPublished(EVENTS, new long[] {1, 2}, 3, TIME, copies));
    }

    assertThat(planWithout(7))
        .contains("saved     events: 0 kept")
        .contains("LOSS      events/Subscriptions/7: 1 kept, 1 lost with their batch (1)")
        .contains("saved     events/Subscriptions/9: 1 kept");
  }

  private static Fact scheduled(DataFolder log, long number) {
    var bodyId = log.machine().nextBodyId();
    var one = new int[] {10};
    var due = new long[] {TIME + 60_000};
    return new Fact.Scheduled(EVENTS, number, bodyId, TIME, one, new int[1], due, null, null, null);
  }

  @Test
  @Rule({"I-11", "I-36"})
  void oneThatWasForwardedToATopicAndACopyThatNoReceiverWasToSee() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.carts().topic().send(10).send(10);
      var deadLettered = new DeadLetterCause[] {DeadLetterCause.RECEIVER, DeadLetterCause.NONE};
      var copies =
          new Copies[] {allOf(AUDIT, 1), new Copies(MAIL, 1, null, null, null, deadLettered)};
      var numbers = new long[] {1, 2};
      log.with(
          new ForwardFact.ForwardPublished(ORDERS, numbers, EVENTS, 1, TIME, null, copies, null));
    }

    assertThat(planWithout(7))
        .contains("saved     orders: 0 kept", "saved     events: 0 kept")
        .contains("LOSS      events/Subscriptions/7: 1 kept, 1 lost with their batch (1)")
        .contains("saved     events/Subscriptions/9: 1 kept")
        .contains("LOSS      events/Subscriptions/9/$deadletterqueue: 0 kept, 1 lost with");
  }
}
