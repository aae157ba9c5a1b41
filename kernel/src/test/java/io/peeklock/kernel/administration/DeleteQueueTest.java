package io.peeklock.kernel.administration;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.EntityCounts;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.forward.ForwardFixture;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Consumer;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.TopicState;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Entities that are no more. */
class DeleteQueueTest {

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private QueueFixture queue(String path) {
    return QueueFixture.of(shard, QueueDefinition.named(path));
  }

  private Decision delete(String path) {
    return shard.ask(new EntityRequest.DeleteQueue(new Asker(), new Note(), path));
  }

  private @Nullable EntityCounts counts(QueueId id) {
    Decision decision =
        shard.ask(new EntityRequest.CountMessages(new Asker(), new Note(), List.of(id)));
    return ShardFixture.only(decision, Effect.MessagesCounted.class).counts().getFirst();
  }

  private void assertNothingIsLeft() {
    assertThat(shard.machine.queues()).isEmpty();
    assertThat(shard.machine.state().deleted()).isEmpty();
    assertThat(shard.machine.nextTickMillis(shard.stamp())).as("nothing is due").isPositive();
  }

  @Test
  @Rule("S-071")
  void everythingGoesWithAQueue() {
    QueueFixture orders = queue("orders");
    orders.send(5);
    orders.schedule(shard.nowMillis + 60_000, shard.nowMillis + 90_000);
    orders.deadLetter(orders.peekLock());
    orders.defer(orders.peekLock());
    orders.settleChanging(Settlement.ABANDON, orders.peekLock(), 40);
    orders.peekLock();

    Decision decision = delete("ORDERS");

    assertThat(decision.effects().getFirst()).isInstanceOf(Effect.QueueChanged.class);
    assertThat(shard.machine.queues()).isEmpty();
    shard.advance(Duration.ZERO);
    assertNothingIsLeft();
    assertThat(shard.deadBodies).as("five, two, and changed properties").hasSize(8);
    assertThat(shard.machine.state().locks.room()).isEqualTo(1 << 24);
  }

  @Test
  @Rule("S-071")
  void thePathIsFreeAtOnceAndNothingOfTheOldQueueShows() {
    QueueFixture old = queue("orders");
    old.send(3);
    delete("orders");

    QueueFixture fresh = queue("Orders");
    fresh.send(1);

    assertThat(QueueFixture.numbers(fresh.peek())).containsExactly(1L);
    shard.advance(Duration.ZERO);
    assertThat(fresh.counts().active()).isEqualTo(1);
    assertThat(fresh.peekLock().number()).isEqualTo(1);
  }

  @Test
  @Rule({"S-062", "S-071"})
  void whoeverAsksForItLaterFindsNothing() {
    QueueFixture orders = queue("orders");
    orders.send(2);
    Received locked = orders.peekLock();
    delete("orders");
    QueueFixture.Outcome gone = new QueueFixture.Outcome(new Refusal.EntityNotFound());

    assertThat(orders.sendSized(10)).containsExactly(gone);
    assertThat(
            QueueFixture.whole(
                shard.ask(orders.settlement(Settlement.COMPLETE, true, null, locked.lockId()))))
        .isEqualTo(gone);
    assertThat(orders.renew(locked)).isEqualTo(gone);
    assertThat(orders.cancel(1)).isEqualTo(gone);
    assertThat(QueueFixture.whole(delete("orders"))).isEqualTo(gone);
    assertThat(counts(orders.id)).isNull();
    assertThat(counts(orders.deadLetters().id)).isNull();
    orders.consumer().undelivered(locked);
    assertThat(orders.consumer().wants(10).gets()).isEmpty();
  }

  @Test
  @Rule("S-071")
  void receiversAreSentAwayAfterWhatWasDelivered() {
    QueueFixture orders = queue("orders");
    Consumer one = orders.consumer().wants(5);
    Consumer ofTheDead = orders.deadLetters().consumer().wants(5);
    orders.send(1);

    delete("orders");

    assertThat(one.effects()).hasSize(2);
    assertThat(one.effects().getLast())
        .isEqualTo(new Effect.ReceiverEnded(one.asker, shard.index, new Refusal.EntityNotFound()));
    assertThat(ofTheDead.effects().getLast()).isInstanceOf(Effect.ReceiverEnded.class);
    one.wants(1);
    one.closes();
  }

  @Test
  @Rule("S-071")
  void sessionsGoWithTheirHoldersTheirStatesAndThoseWhoWait() {
    QueueFixture carts = QueueFixture.of(shard, QueueDefinition.named("carts").withSession(true));
    carts.sendTo("a", "b", "a");
    Consumer holder = carts.accepts("a", Duration.ZERO).wants(1);
    shard.ask(new Request.SetSessionState(new Asker(), new Note(), carts.id, "a", holder.asker, 7));
    Consumer other = carts.accepts("c", Duration.ZERO);
    carts.accepts("b", Duration.ZERO);
    Consumer waits = carts.accepts(null, Duration.ofMinutes(1));

    delete("carts");

    assertThat(holder.effects().getLast()).isInstanceOf(Effect.ReceiverEnded.class);
    assertThat(other.effects().getLast()).isInstanceOf(Effect.ReceiverEnded.class);
    assertThat(waits.refusal()).isInstanceOf(Refusal.EntityNotFound.class);
    shard.advance(Duration.ofMinutes(2));
    assertNothingIsLeft();
    assertThat(shard.deadBodies).hasSize(4);
  }

  @Test
  void anEmptyQueueWithASessionThatIsHeldIsGoneAtOnce() {
    QueueFixture carts = QueueFixture.of(shard, QueueDefinition.named("carts").withSession(true));
    Consumer holder = carts.accepts("a", Duration.ZERO);
    Consumer waits = carts.accepts(null, Duration.ofMinutes(1));

    delete("carts");

    assertNothingIsLeft();
    assertThat(holder.effects().getLast()).isInstanceOf(Effect.ReceiverEnded.class);
    assertThat(waits.refusal()).isInstanceOf(Refusal.EntityNotFound.class);
  }

  @Test
  @Rule("S-071")
  void manyMessagesGoInSlicesAndARestartGoesOn() {
    shard.checkEveryStep = false;
    QueueFixture orders = queue("orders");
    for (int i = 0; i < 5; i++) {
      orders.send(DeleteQueueHandler.SLICE);
    }
    delete("orders");

    shard.take(shard.machine.tick(shard.stamp(), null));
    shard.restart();
    shard.take(shard.machine.tick(shard.stamp(), null));

    QueueState left = shard.machine.state().deleted().iterator().next();
    assertThat(left.messages().active()).isEqualTo(3L * DeleteQueueHandler.SLICE);
    shard.advance(Duration.ZERO);
    assertNothingIsLeft();
    assertThat(shard.log.stream().filter(one -> one.fact() instanceof EntityFact.Deleted))
        .hasSize(5);
  }

  @Test
  void whatTimeWantsComesBeforeEmptying() {
    QueueFixture orders = queue("orders");
    orders.send(1);
    QueueFixture other = queue("other");
    other.sendLiving(Duration.ofSeconds(1));
    delete("orders");
    shard.passes(Duration.ofSeconds(2));

    Decision first = shard.machine.tick(shard.stamp(), null);

    assertThat(first.facts()).hasOnlyElementsOfType(Fact.Expired.class);
    shard.tickWhileDue();
    assertThat(shard.machine.state().deleted()).isEmpty();
  }

  @Test
  @Rule("S-071")
  void aTopicTakesItsSubscriptionsAlong() {
    QueueFixture.of(shard, QueueDefinition.named("events").as(new QueueRole.Topic(false)));
    QueueFixture a = subscription("a");
    QueueFixture b = subscription("b");
    QueueFixture events = new QueueFixture(shard, new QueueId(1), new QueueId(2));
    events.send(3);
    Consumer consumer = a.consumer();

    delete("events");

    assertThat(consumer.effects().getLast()).isInstanceOf(Effect.ReceiverEnded.class);
    assertThat(b.peekRefused()).isTrue();
    shard.advance(Duration.ZERO);
    assertNothingIsLeft();
    assertThat(shard.deadBodies).hasSize(3);
  }

  @Test
  @Rule("S-071")
  void aTopicIsNotTakenApartWhenItGoes() {
    QueueFixture.of(shard, QueueDefinition.named("events").as(new QueueRole.Topic(false)));
    QueueFixture a = subscription("a");
    QueueFixture b = subscription("b");
    TopicState topic = Objects.requireNonNull(shard.machine.state().known(new QueueId(1)).topic());

    Decision decision = delete("events");

    assertThat(decision.facts())
        .containsExactly(
            new EntityFact.QueueDeleted(new QueueId(1)),
            new EntityFact.QueueDeleted(a.id),
            new EntityFact.QueueDeleted(b.id));
    assertThat(topic.subscriptions()).as("nobody was taken out one by one").hasSize(2);
    assertThat(topic.rules().size()).isEqualTo(2);
    assertNothingIsLeft();
  }

  @Test
  @Rule("S-071")
  void anOldLogWhereTheSubscriptionsGoFirstReplaysToTheSame() {
    QueueFixture.of(shard, QueueDefinition.named("events").as(new QueueRole.Topic(false)));
    QueueFixture a = subscription("a");
    QueueFixture b = subscription("b");

    for (QueueId id : List.of(b.id, a.id, new QueueId(1))) {
      shard.take(Decision.of(List.of(new EntityFact.QueueDeleted(id)), List.of(), List.of(), null));
    }

    assertNothingIsLeft();
  }

  @Test
  @Rule({"S-056", "S-071", "S-053"})
  void aSubscriptionLeavesItsTopicAndTheOthersGoOn() {
    QueueFixture events =
        QueueFixture.of(
            shard,
            QueueDefinition.named("events")
                .as(new QueueRole.Topic(false))
                .with()
                .maxSizeBytes(1_000)
                .build());
    QueueFixture a = subscription("a");
    QueueFixture b = subscription("b");
    QueueFixture c = subscription("c");
    events.send(3);

    delete("events/Subscriptions/a");

    events.send(4); // 2 * 3 + 2 * 4 of 100 bytes do not fit with those of a
    assertThat(QueueFixture.numbers(b.peek())).hasSize(7);
    assertThat(QueueFixture.numbers(c.peek())).hasSize(7);
    assertThat(a.peekRefused()).isTrue();
    shard.advance(Duration.ZERO);
    assertThat(shard.deadBodies).isEmpty();
  }

  private QueueFixture subscription(String name) {
    return QueueFixture.of(
        shard,
        QueueDefinition.named("events/Subscriptions/" + name)
            .as(new QueueRole.Subscription("events", false)));
  }

  @Test
  @Rule({"S-489", "S-490", "S-491", "S-492"})
  void countsAreExactAtEveryQuietMoment() {
    QueueFixture orders = queue("orders");
    orders.send(5);
    orders.schedule(shard.nowMillis + 60_000, shard.nowMillis + 90_000);
    orders.deadLetter(orders.peekLock());
    orders.defer(orders.peekLock());
    orders.peekLock();

    long accessed = shard.nowMillis + 1; // behind the creation, in the same millisecond
    assertThat(counts(orders.id))
        .isEqualTo(new EntityCounts(4, 1, 1, 1, 2, 0, 0, 700, accessed, 0, 0));

    QueueFixture events =
        QueueFixture.of(shard, QueueDefinition.named("events").as(new QueueRole.Topic(false)));
    QueueFixture a = subscription("a");
    events.send(2);
    events.schedule(shard.nowMillis + 60_000);
    assertThat(counts(events.id))
        .isEqualTo(new EntityCounts(0, 0, 0, 0, 1, 0, 0, 300, accessed, 1, 0));
    assertThat(counts(a.id)).isEqualTo(new EntityCounts(2, 0, 0, 0, 0, 0, 0, 200, accessed, 0, 0));
  }

  @Test
  @Rule("S-294")
  void aDeletedDestinationMakesDeadLetters() {
    ForwardFixture forwards = new ForwardFixture(shard);
    QueueFixture end = forwards.queue("end");
    QueueFixture start = forwards.queue("start", "end");
    start.send(1);
    assertThat(end.counts().active()).isEqualTo(1);

    delete("end");
    start.send(2);

    assertThat(start.counts().active()).isZero();
    assertThat(start.deadLetters().peek())
        .extracting(Received::cause)
        .containsExactly(DeadLetterCause.FORWARDING_FAILED, DeadLetterCause.FORWARDING_FAILED);
    QueueFixture again = forwards.queue("end");
    start.send(1);
    assertThat(again.counts().active()).as("found by its path").isEqualTo(1);
    assertThat(start.deadLetters().counts().active()).isEqualTo(2);
  }

  @Test
  @Rule("S-071")
  void aDeletedQueueForwardsNothing() {
    ForwardFixture forwards = new ForwardFixture(shard);
    forwards.queue("failed");
    QueueFixture start =
        forwards.queue(ForwardFixture.with("start").forwardDeadLettersTo("failed"));
    delete("failed");
    start.send(1);
    start.deadLetter(start.peekLock());
    QueueFixture transferDeadLetters = forwards.queue("failed");
    assertThat(transferDeadLetters.counts().active()).as("the dead letter waits").isZero();

    delete("start");
    shard.advance(Duration.ofMinutes(1));

    assertThat(transferDeadLetters.counts().active()).isZero();
    assertThat(shard.machine.wantsForward()).isFalse();
    assertThat(shard.machine.state().deleted()).isEmpty();
    assertThat(shard.deadBodies).hasSize(1);
  }

  @Test
  @Rule("S-071")
  void theStatesOfManySessionsGoInSlices() {
    shard.checkEveryStep = false;
    QueueFixture carts = QueueFixture.of(shard, QueueDefinition.named("carts").withSession(true));
    for (int i = 0; i <= DeleteQueueHandler.SLICE; i++) {
      Consumer holder = carts.accepts("s" + i, Duration.ZERO);
      shard.ask(
          new Request.SetSessionState(
              holder.asker, new Note(), carts.id, "s" + i, holder.asker, 1));
      holder.closes();
    }
    delete("carts");

    Decision first = shard.machine.tick(shard.stamp(), null);
    shard.take(first);
    Decision second = shard.machine.tick(shard.stamp(), null);
    shard.take(second);

    assertThat(first.facts()).hasSize(DeleteQueueHandler.SLICE);
    assertThat(second.facts()).hasSize(1);
    assertNothingIsLeft();
  }
}
