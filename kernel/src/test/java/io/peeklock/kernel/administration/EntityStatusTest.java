package io.peeklock.kernel.administration;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.EntityStatus;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Consumer;
import io.peeklock.kernel.machine.QueueFixture.Outcome;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.proof.Rule;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an entity's status lets clients do. */
class EntityStatusTest {

  private static final QueueDefinition ORDERS = QueueDefinition.named("orders");
  private static final Outcome DISABLED = new Outcome(new Refusal.EntityDisabled());

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private void set(QueueDefinition definition, EntityStatus status) {
    QueueDefinition wanted = definition.with().status(status).build();
    var update = new EntityRequest.UpdateQueue(new Asker(), new Note(), wanted);
    assertThat(shard.ask(update).effects().getLast()).isInstanceOf(Effect.QueueChanged.class);
  }

  private static boolean isSentAway(Consumer consumer) {
    return !consumer.effects().isEmpty()
        && consumer.effects().getLast() instanceof Effect.ReceiverEnded ended
        && ended.refusal() instanceof Refusal.EntityDisabled;
  }

  @Test
  @Rule({"S-421", "S-422", "S-230"})
  void aQueueThatTakesNoSendsIsStillReadAndPeekedAndItsSchedulesCancelled() {
    QueueFixture queue = QueueFixture.of(shard, ORDERS);
    queue.send(2);
    long[] later = queue.schedule(shard.nowMillis + 60_000);

    set(ORDERS, EntityStatus.SEND_DISABLED);

    assertThat(queue.sendSized(10, 10)).containsExactly(DISABLED);
    assertThat(queue.sendAtomically(10)).isEqualTo(DISABLED);
    assertThat(queue.peek()).hasSize(3);
    assertThat(queue.complete(queue.peekLock())).isEqualTo(Outcome.DONE);
    assertThat(queue.cancel(later)).isEqualTo(Outcome.DONE);
    set(ORDERS, EntityStatus.ACTIVE);
    queue.send(1);
  }

  @Test
  @Rule({"S-423", "S-427", "S-428", "S-508"})
  void aQueueThatLetsNobodyReceiveTakesSendsAndSettlements() {
    QueueFixture queue = QueueFixture.of(shard, ORDERS);
    queue.send(3);
    Received locked = queue.peekLock();
    Received deferred = queue.peekLock();
    queue.defer(deferred);
    Consumer consumer = queue.consumer();
    Consumer ofTheDead = queue.deadLetters().consumer();

    set(ORDERS, EntityStatus.RECEIVE_DISABLED);

    assertThat(isSentAway(consumer)).isTrue();
    assertThat(isSentAway(ofTheDead)).isTrue();
    assertThat(isSentAway(queue.consumer())).isTrue();
    assertThat(queue.refusedDeferred(deferred.number())).isEqualTo(DISABLED);
    assertThat(queue.renew(locked)).isEqualTo(Outcome.DONE);
    assertThat(queue.complete(locked)).isEqualTo(Outcome.DONE);
    queue.send(1);
    assertThat(queue.peek()).hasSize(3);
    set(ORDERS, EntityStatus.ACTIVE);
    assertThat(queue.peekLock(5)).hasSize(2);
  }

  @Test
  @Rule("S-424")
  void aDisabledQueueDoesNeitherAndKeepsItsMessages() {
    QueueFixture queue = QueueFixture.of(shard, ORDERS);
    queue.send(2);

    set(ORDERS, EntityStatus.DISABLED);

    assertThat(queue.sendSized(10)).containsExactly(DISABLED);
    assertThat(isSentAway(queue.consumer())).isTrue();
    shard.restart();
    assertThat(queue.sendSized(10)).containsExactly(DISABLED);
    assertThat(queue.peek()).hasSize(2);
  }

  @Test
  @Rule({"S-427", "S-248"})
  void aSessionIsFreeAgainWithoutACount() {
    QueueDefinition carts = QueueDefinition.named("carts").withSession(true);
    QueueFixture queue = QueueFixture.of(shard, carts);
    queue.sendTo("a");
    Consumer holder = queue.accepts("a", Duration.ZERO).wants(1);
    Consumer waits = queue.accepts(null, Duration.ofMinutes(1));

    set(carts, EntityStatus.RECEIVE_DISABLED);

    assertThat(isSentAway(holder)).isTrue();
    assertThat(waits.refusal()).isInstanceOf(Refusal.EntityDisabled.class);
    assertThat(queue.accepts("a", Duration.ZERO).refusal())
        .isInstanceOf(Refusal.EntityDisabled.class);
    set(carts, EntityStatus.ACTIVE);
    Consumer next = queue.accepts("a", Duration.ZERO).wants(1);
    assertThat(next.gets()).extracting(Received::deliveryCount).containsExactly(0);
  }

  @Test
  @Rule({"S-425", "S-426", "S-158"})
  void aTopicThatTakesNoSendsHoldsItsSchedulesBackAndItsSubscriptionsGoOn() {
    QueueDefinition topic = QueueDefinition.named("events").as(new QueueRole.Topic(false));
    QueueFixture events = QueueFixture.of(shard, topic);
    QueueDefinition sub =
        QueueDefinition.named("events/Subscriptions/a")
            .as(new QueueRole.Subscription("events", false));
    QueueFixture audit = QueueFixture.of(shard, sub);
    events.send(1);
    events.schedule(shard.nowMillis + 60_000);

    set(topic, EntityStatus.DISABLED);
    shard.advance(Duration.ofMinutes(5));

    assertThat(events.sendSized(10)).containsExactly(DISABLED);
    assertThat(shard.machine.nextTickMillis(shard.stamp())).isPositive();
    assertThat(audit.peek()).hasSize(1);
    assertThat(audit.complete(audit.peekLock())).isEqualTo(Outcome.DONE);
    set(topic, EntityStatus.ACTIVE);
    set(sub, EntityStatus.DISABLED);
    shard.advance(Duration.ZERO);
    events.send(1);
    assertThat(audit.peek()).as("copies pile up").hasSize(2);
    assertThat(isSentAway(audit.consumer())).isTrue();
  }
}
