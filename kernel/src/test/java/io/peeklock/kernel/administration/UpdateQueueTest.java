package io.peeklock.kernel.administration;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueEntry;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.forward.ForwardFixture;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Consumer;
import io.peeklock.kernel.machine.QueueFixture.Outcome;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Entities get other properties. */
class UpdateQueueTest {

  private static final QueueDefinition ORDERS = QueueDefinition.named("orders");

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private Decision update(QueueDefinition definition) {
    return shard.ask(new EntityRequest.UpdateQueue(new Asker(), new Note(), definition));
  }

  private void done(QueueDefinition definition) {
    ShardFixture.only(update(definition), Effect.QueueChanged.class);
  }

  private void fixed(QueueDefinition definition, String property) {
    var refused = ShardFixture.only(update(definition), Effect.Refused.class);
    assertThat(refused.refusal()).isEqualTo(new Refusal.PropertyFixed(property));
  }

  @Test
  @Rule("S-067")
  void whatIsFixedAtCreationIsRefusedByName() {
    QueueFixture.of(shard, ORDERS);
    QueueFixture.of(shard, ORDERS.with().path("ids").duplicateWindowMillis(60_000).build());

    fixed(ORDERS.withSession(true), "RequiresSession");
    fixed(ORDERS.withDuplicateWindow(30_000), "RequiresDuplicateDetection");
    fixed(ORDERS.with().path("ids").build(), "RequiresDuplicateDetection");
    fixed(ORDERS.with().partitioned(true).build(), "EnablePartitioning");
    fixed(ORDERS.as(new QueueRole.Topic(false)), "its kind");
    assertThat(shard.machine.queues().getFirst().definition()).isEqualTo(ORDERS);
  }

  @Test
  void anEntityThatIsNotThereIsNotUpdated() {
    var refused = ShardFixture.only(update(ORDERS), Effect.Refused.class);
    assertThat(refused.refusal()).isInstanceOf(Refusal.EntityNotFound.class);
  }

  @Test
  @Rule("S-489")
  void theRestChangesAndTheTimeIsNoted() {
    QueueFixture queue = QueueFixture.of(shard, ORDERS);
    long created = shard.nowMillis;
    shard.advance(Duration.ofMinutes(3));
    QueueDefinition wanted =
        ORDERS
            .with()
            .path("ORDERS")
            .lockDurationMillis(5_000)
            .maxDeliveryCount(3)
            .defaultTimeToLiveMillis(9_000)
            .deadLetteringOnExpiration(true)
            .maxMessageBytes(77)
            .maxSizeBytes(10_000)
            .attributes(Map.of("UserMetadata", "ours"))
            .build();

    done(wanted);

    assertThat(shard.machine.queues())
        .containsExactly(
            new QueueEntry(
                queue.id,
                queue.deadLetters().id,
                wanted.with().path("orders").build(),
                created,
                shard.nowMillis));
  }

  @Test
  @Rule({"S-025", "S-164", "S-068"})
  void whatWasThereBeforeKeepsItsLockAndItsTimeToLive() {
    QueueFixture queue = QueueFixture.of(shard, ORDERS);
    queue.send(2);
    Received locked = queue.peekLock();

    done(ORDERS.with().lockDurationMillis(5_000).defaultTimeToLiveMillis(10_000).build());
    queue.send(1);
    Received second = queue.peekLock();

    assertThat(second.lockedUntil()).isEqualTo(shard.nowMillis + 5_000);
    shard.advance(Duration.ofSeconds(20));
    assertThat(QueueFixture.numbers(queue.peek())).containsExactly(1L, 2L);
    assertThat(queue.complete(locked)).isEqualTo(Outcome.DONE);
    assertThat(queue.complete(second)).isEqualTo(Outcome.LOST);
  }

  @Test
  @Rule("S-126")
  void aLoweredMaximumBitesAtTheNextCountedEnd() {
    QueueFixture queue = QueueFixture.of(shard, ORDERS);
    queue.send(1);
    queue.abandon(queue.peekLock());
    queue.abandon(queue.peekLock());

    done(ORDERS.with().maxDeliveryCount(1).build());

    assertThat(queue.deadLetters().peek()).isEmpty();
    Received again = queue.peekLock();
    queue.release(again);
    assertThat(queue.deadLetters().peek()).isEmpty();
    queue.abandon(queue.peekLock());
    assertThat(queue.deadLetters().peek()).hasSize(1);
    assertThat(queue.deadLetters().peek().getFirst().deliveryCount()).isEqualTo(3);
  }

  @Test
  @Rule("S-282")
  void anotherWindowIsForIdsThatAreRememberedAndBringsNoneBack() {
    QueueDefinition short20 = ORDERS.withDuplicateWindow(20_000);
    QueueFixture queue = QueueFixture.of(shard, short20);
    queue.sendWithIds(1);
    shard.advance(Duration.ofSeconds(15));
    queue.sendWithIds(2);
    shard.advance(Duration.ofSeconds(10));

    done(ORDERS.withDuplicateWindow(600_000)); // 1 is forgotten, 2 came 10 s ago

    shard.advance(Duration.ofSeconds(60));
    queue.sendWithIds(1, 2, 3);
    assertThat(queue.counts().active()).isEqualTo(4);
    shard.advance(Duration.ofSeconds(60));
    done(short20);
    queue.sendWithIds(3);
    assertThat(queue.counts().active()).isEqualTo(5);
  }

  @Test
  @Rule({"S-055", "S-195", "S-196"})
  void topicsAndSubscriptionsChangeTheirOwnWays() {
    QueueDefinition topic = QueueDefinition.named("events").as(new QueueRole.Topic(false));
    QueueFixture events = QueueFixture.of(shard, topic);
    QueueDefinition audit =
        QueueDefinition.named("events/Subscriptions/audit")
            .as(new QueueRole.Subscription("events", false));
    QueueFixture.of(shard, audit);

    done(topic.as(new QueueRole.Topic(true)));
    done(audit.as(new QueueRole.Subscription("EVENTS", true)));
    fixed(audit.as(new QueueRole.Subscription("other", true)), "its kind");

    MachineState state = shard.machine.state();
    assertThat(Objects.requireNonNull(state.known(events.id).topic()).refusesUnmatched()).isTrue();
    QueueEntry changed = shard.machine.queues().getLast();
    assertThat(changed.definition().role()).isEqualTo(new QueueRole.Subscription("events", true));
    assertThat(
            Objects.requireNonNull(state.known(changed.queue()).subscription())
                .deadLettersFailures())
        .isTrue();
  }

  @Test
  @Rule("S-285")
  void settingForwardToMovesWhatIsThere() {
    ForwardFixture forwards = new ForwardFixture(shard);
    QueueFixture end = forwards.queue("end");
    QueueFixture queue = QueueFixture.of(shard, ORDERS);
    queue.send(3);
    Received locked = queue.peekLock();

    done(ORDERS.with().forwardTo("END").build());

    assertThat(queue.counts().active()).as("the locked one").isEqualTo(1);
    assertThat(end.peek()).extracting(Received::enqueuedNumber).containsExactly(2L, 3L);
    queue.release(locked);
    assertThat(end.counts().active()).isEqualTo(3);

    done(ORDERS);
    queue.send(1);
    assertThat(queue.counts().active()).as("forwards no more").isEqualTo(1);
    assertThat(end.counts().active()).isEqualTo(3);
  }

  @Test
  @Rule({"S-289", "S-199", "S-427"})
  void whoReceivesIsSentAwayWhenMessagesMoveOnFromNowOn() {
    new ForwardFixture(shard).queue("end");
    QueueFixture queue = QueueFixture.of(shard, ORDERS);
    Consumer living = queue.consumer();
    Consumer dead = queue.deadLetters().consumer();
    Refusal moved = new Refusal.MessagesAreForwarded("end");

    update(ORDERS.with().forwardTo("end").build());
    assertThat(ended(living)).containsExactly(moved);
    assertThat(ended(dead)).isEmpty();
    assertThat(ended(queue.consumer())).as("who attached meanwhile").containsExactly(moved);
    update(ORDERS.with().forwardTo("end").forwardDeadLettersTo("end").build());
    assertThat(ended(dead)).containsExactly(moved);

    update(ORDERS);
    assertThat(ended(queue.consumer())).isEmpty();
    assertThat(ended(queue.deadLetters().consumer())).isEmpty();
  }

  private static List<Refusal> ended(Consumer consumer) {
    return consumer.effects().stream()
        .filter(Effect.ReceiverEnded.class::isInstance)
        .map(effect -> ((Effect.ReceiverEnded) effect).refusal())
        .toList();
  }

  @Test
  @Rule({"S-197", "S-200"})
  void deadLettersThatWaitForTheirDestinationMoveToAnotherAtOnce() {
    ForwardFixture forwards = new ForwardFixture(shard);
    QueueFixture end = forwards.queue("end");
    forwards.queue("failed");
    QueueFixture queue =
        QueueFixture.of(shard, ORDERS.with().forwardDeadLettersTo("failed").build());
    shard.ask(new EntityRequest.DeleteQueue(new Asker(), new Note(), "failed"));
    queue.send(1);
    queue.deadLetter(queue.peekLock());
    assertThat(queue.deadLetters().counts().active()).as("waits").isEqualTo(1);

    done(ORDERS.with().forwardDeadLettersTo("end").build());

    assertThat(queue.deadLetters().counts().active()).isZero();
    assertThat(end.counts().active()).isEqualTo(1);
  }

  @Test
  void whatCannotBeReadHoldsNothingUpWhereItNeedNotBeRead() {
    ForwardFixture forwards = new ForwardFixture(shard);
    QueueFixture.of(shard, QueueDefinition.named("sessions").withSession(true));
    QueueFixture end = forwards.queue("end");
    QueueFixture queue = forwards.queue("orders", "sessions");
    forwards.lost.add(shard.machine.nextBodyId());
    queue.send(1);
    assertThat(queue.counts().active()).as("waits").isEqualTo(1);

    done(ORDERS.with().forwardTo("end").build());

    assertThat(queue.counts().active()).isZero();
    assertThat(end.counts().active()).isEqualTo(1);
  }

  @Test
  @Rule("S-286")
  void forwardingToWhatIsNotThereIsRefused() {
    QueueFixture queue = QueueFixture.of(shard, ORDERS);
    queue.send(1);

    missing(ORDERS.with().forwardTo("nowhere").build(), "nowhere");
    missing(ORDERS.with().forwardDeadLettersTo("nowhere").build(), "nowhere");
    missing(ORDERS.with().forwardTo("ORDERS").build(), "orders");
    done(ORDERS.with().forwardDeadLettersTo("Orders").build());

    assertThat(queue.counts().active()).isEqualTo(1);
  }

  private void missing(QueueDefinition definition, String path) {
    var refused = ShardFixture.only(update(definition), Effect.Refused.class);
    assertThat(refused.refusal()).isEqualTo(new Refusal.ForwardDestinationNotFound(path));
  }
}
