package io.peeklock.kernel.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.EntityStatus;
import io.peeklock.kernel.entity.MessageState;
import io.peeklock.kernel.entity.QueueCounts;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.machine.Definitions;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Consumer;
import io.peeklock.kernel.machine.QueueFixture.Outcome;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages that are deleted without having been received. */
class DeleteMessagesTest {

  private static final long LATER = Long.MAX_VALUE;

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private QueueFixture queue() {
    return QueueFixture.of(shard, QueueDefinition.named("orders"));
  }

  private Decision ask(
      QueueFixture queue,
      int most,
      long before,
      @Nullable String sessionId,
      @Nullable Origin holder) {
    return shard.ask(
        new EntityRequest.DeleteMessages(
            new Asker(), new Note(), queue.id, most, before, sessionId, holder));
  }

  private int delete(QueueFixture queue, int most) {
    return delete(queue, most, null, null);
  }

  private int delete(
      QueueFixture queue, int most, @Nullable String sessionId, @Nullable Origin holder) {
    Decision decision = ask(queue, most, LATER, sessionId, holder);
    return ShardFixture.only(decision, Effect.MessagesDeleted.class).count();
  }

  @Test
  @Rule({"S-411", "S-415"})
  void theOldestGoFirstAndTheirBodiesWithThem() {
    QueueFixture orders = queue();
    orders.send(5);

    assertThat(delete(orders, 3)).isEqualTo(3);

    assertThat(QueueFixture.numbers(orders.peek())).containsExactly(4L, 5L);
    assertThat(shard.deadBodies).containsExactly(1L, 2L, 3L);
    assertThat(orders.counts()).isEqualTo(new QueueCounts(2, 0, 0, 0, 0, 200));
    assertThat(delete(orders, 3)).isEqualTo(2);
    assertThat(delete(orders, 3)).isZero();
  }

  @Test
  @Rule("S-411")
  void whatWasEnqueuedAtTheCutOffOrLaterStays() {
    QueueFixture orders = queue();
    orders.send(2);
    shard.passes(Duration.ofMillis(1));
    orders.send(1);

    Decision decision = ask(orders, 10, shard.nowMillis, null, null);

    assertThat(ShardFixture.only(decision, Effect.MessagesDeleted.class).count()).isEqualTo(2);
    assertThat(QueueFixture.numbers(orders.peek())).containsExactly(3L);
  }

  @Test
  @Rule({"S-414", "S-415"})
  void lockedDeferredAndScheduledOnesAreLeftAlone() {
    QueueFixture orders = queue();
    orders.send(4);
    Received locked = orders.peekLock();
    orders.defer(orders.peekLock());
    orders.schedule(shard.nowMillis + 60_000);

    assertThat(delete(orders, 10)).isEqualTo(2);

    assertThat(orders.peek())
        .extracting(Received::state)
        .containsExactly(MessageState.ACTIVE, MessageState.DEFERRED, MessageState.SCHEDULED);
    assertThat(orders.complete(locked)).isEqualTo(Outcome.DONE);
    assertThat(delete(orders, 10)).isZero();
  }

  @Test
  @Rule("S-411")
  void deadLettersAndChangedPropertiesGoToo() {
    QueueFixture orders = queue();
    orders.send(1);
    orders.settleChanging(Settlement.DEAD_LETTER, orders.peekLock(), 40);

    assertThat(delete(orders.deadLetters(), 10)).isEqualTo(1);

    assertThat(shard.deadBodies).containsExactly(1L, 2L);
    assertThat(orders.counts()).isEqualTo(new QueueCounts(0, 0, 0, 0, 0, 0));
  }

  @Test
  @Rule("S-168")
  void whatIsOverExpiresInsteadOfBeingDeleted() {
    QueueFixture orders =
        QueueFixture.of(shard, Definitions.timeToLive(Duration.ofSeconds(1), true));
    orders.send(1);
    shard.passes(Duration.ofSeconds(1));
    orders.sendLiving(Duration.ofSeconds(1));

    assertThat(delete(orders, 10)).isEqualTo(1);

    shard.tickWhileDue();
    assertThat(orders.counts().deadLetters()).isEqualTo(1);
  }

  @Test
  @Rule({"S-414", "S-245"})
  void theLockOfASessionKeepsItsMessagesForItsHolder() {
    QueueFixture carts = QueueFixture.of(shard, QueueDefinition.named("carts").withSession(true));
    carts.sendTo("a", "b", "a", "b", "c");
    Consumer holder = carts.accepts("a", Duration.ZERO);
    Consumer other = carts.accepts("c", Duration.ZERO);

    assertThat(delete(carts, 10, "a", null)).as("somebody holds it").isZero();
    assertThat(delete(carts, 10, "a", other.asker)).isZero();
    assertThat(delete(carts, 10, "z", null)).as("there is none").isZero();
    assertThat(delete(carts, 1, "b", null)).isEqualTo(1);
    assertThat(delete(carts, 10)).as("of all but the held ones").isEqualTo(1);
    assertThat(delete(carts, 10, "a", holder.asker)).isEqualTo(2);

    assertThat(QueueFixture.numbers(carts.peek())).containsExactly(5L);
    shard.passes(Duration.ofMinutes(2));
    assertThat(delete(carts, 10)).as("its lock is over").isEqualTo(1);
  }

  @Test
  void aSessionIdMatchesNothingWhereThereAreNone() {
    QueueFixture orders = queue();
    orders.send(1);

    assertThat(delete(orders, 10, "a", null)).isZero();
  }

  @Test
  @Rule("S-413")
  void oneRequestIsABoundedSlice() {
    shard.checkEveryStep = false;
    QueueFixture orders = queue();
    for (int i = 0; i < 5; i++) {
      orders.send(1_000);
    }

    assertThat(delete(orders, Integer.MAX_VALUE)).isEqualTo(EntityRequest.MOST_DELETED);
    assertThat(delete(orders, Integer.MAX_VALUE)).isEqualTo(1_000);
  }

  @Test
  void messagesThatStayCountTowardsTheSlice() {
    shard.checkEveryStep = false;
    QueueFixture carts = QueueFixture.of(shard, QueueDefinition.named("carts").withSession(true));
    String[] held = new String[1_024];
    Arrays.fill(held, "a");
    for (int i = 0; i < DeleteMessagesHandler.MOST_LOOKED_AT; i += held.length) {
      carts.sendTo(held);
    }
    carts.sendTo("b");
    Consumer holder = carts.accepts("a", Duration.ZERO);

    assertThat(delete(carts, 10)).as("best effort").isZero();
    assertThat(delete(carts, 1, "a", holder.asker)).isEqualTo(1);
    assertThat(delete(carts, 10)).isEqualTo(1);
  }

  @Test
  @Rule({"S-375", "S-062", "S-423"})
  void partitionedMissingAndClosedEntitiesRefuse() {
    QueueDefinition parted = QueueDefinition.named("p").with().partitioned(true).build();
    QueueFixture closed =
        QueueFixture.of(
            shard, QueueDefinition.named("c").with().status(EntityStatus.RECEIVE_DISABLED).build());
    QueueDefinition topic = parted.with().path("t").role(new QueueRole.Topic(false)).build();
    QueueFixture.of(shard, topic);
    QueueDefinition fed =
        QueueDefinition.named("t/Subscriptions/s").as(new QueueRole.Subscription("t", false));
    List<Decision> answers =
        List.of(
            ask(QueueFixture.of(shard, parted), 1, LATER, null, null),
            ask(QueueFixture.of(shard, fed), 1, LATER, null, null),
            ask(closed, 1, LATER, null, null),
            ask(new QueueFixture(shard, new QueueId(99), new QueueId(98)), 1, LATER, null, null));

    assertThat(answers)
        .extracting(decision -> QueueFixture.whole(decision).refusal())
        .containsExactly(
            new Refusal.NotOnPartitioned(),
            new Refusal.NotOnPartitioned(),
            new Refusal.EntityDisabled(),
            new Refusal.EntityNotFound());
  }

  @Test
  @Rule("S-412")
  void untilNowIsAllThatIsThereAlsoWhereTheClockWasAheadOnce() {
    shard.aheadMillis = Duration.ofHours(3).toMillis();
    QueueFixture orders = queue();
    orders.send(2);
    shard.passes(Duration.ofSeconds(20));
    orders.send(1);

    Decision until = ask(orders, 9, shard.stamp().wallMillis() - 10_000, null, null);
    assertThat(ShardFixture.only(until, Effect.MessagesDeleted.class).count()).isEqualTo(2);
    Decision now = ask(orders, 9, shard.stamp().wallMillis() + 1, null, null);
    assertThat(ShardFixture.only(now, Effect.MessagesDeleted.class).count()).isEqualTo(1);
  }

  @Test
  @Rule("S-411")
  void aTimeThatAMessageToldIsThatOfTheMessageWhateverTheClockSays() {
    shard.aheadMillis = Duration.ofHours(3).toMillis();
    QueueFixture orders = queue();
    orders.send(1);
    long told = orders.peek().getFirst().enqueuedAt();
    shard.passes(Duration.ofMinutes(5));
    orders.send(1);

    Decision before = ask(orders, 9, told, null, null);
    assertThat(ShardFixture.only(before, Effect.MessagesDeleted.class).count()).isZero();
    Decision longAgo = ask(orders, 9, shard.stamp().wallMillis() - 60_001, null, null);
    assertThat(ShardFixture.only(longAgo, Effect.MessagesDeleted.class).count()).isZero();
    Decision after = ask(orders, 9, told + 1, null, null);
    assertThat(ShardFixture.only(after, Effect.MessagesDeleted.class).count()).isEqualTo(1);
  }
}
