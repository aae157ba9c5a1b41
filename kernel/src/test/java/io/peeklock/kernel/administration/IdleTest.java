package io.peeklock.kernel.administration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.EntityCounts;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Consumer;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Entities that nobody uses any more. */
class IdleTest {

  private static final Duration IDLE = Duration.ofMinutes(5);
  private static final Duration ALMOST = IDLE.minusMillis(1);
  private static final Duration A_MOMENT = Duration.ofMillis(1);

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private static QueueDefinition idle(String path) {
    return QueueDefinition.named(path).with().autoDeleteOnIdleMillis(IDLE.toMillis()).build();
  }

  private QueueFixture queue(String path) {
    return QueueFixture.of(shard, idle(path));
  }

  private QueueFixture topic() {
    return QueueFixture.of(shard, idle("events").as(new QueueRole.Topic(false)));
  }

  private QueueFixture subscription(QueueDefinition definition) {
    return QueueFixture.of(shard, definition.as(new QueueRole.Subscription("events", false)));
  }

  private boolean isThere(QueueFixture queue) {
    return shard.machine.queues().stream().anyMatch(entry -> entry.queue().equals(queue.id));
  }

  /** It is there until just before it was idle for so long, and not a moment longer. */
  private void assertIdleFromNow(QueueFixture queue) {
    shard.advance(ALMOST);
    assertThat(isThere(queue)).as("not early").isTrue();
    shard.advance(A_MOMENT);
    assertThat(isThere(queue)).as("in time").isFalse();
  }

  /** What keeps a queue from being idle, and a subscription too where it says so. */
  enum Use {
    NOTHING,
    SEND,
    RECEIVE,
    RECEIVE_DEAD_LETTERS,
    RECEIVE_AND_DELETE,
    PEEK,
    PEEK_DEAD_LETTERS,
    RENEW,
    UPDATE,
    COUNT;

    boolean counts() {
      return this != NOTHING && this != COUNT;
    }
  }

  private void use(QueueFixture queue, Use how) {
    switch (how) {
      case NOTHING -> {}
      case SEND -> queue.send(1);
      case RECEIVE -> queue.peekLock(1);
      case RECEIVE_DEAD_LETTERS -> queue.deadLetters().peekLock(1);
      case RECEIVE_AND_DELETE -> queue.receiveAndDelete(1);
      case PEEK -> queue.peek();
      case PEEK_DEAD_LETTERS -> queue.deadLetters().peek();
      case RENEW -> queue.renew();
      case UPDATE -> shard.ask(update(idle("orders")));
      case COUNT -> shard.ask(count(queue));
    }
  }

  private static Request update(QueueDefinition definition) {
    return new EntityRequest.UpdateQueue(new Asker(), new Note(), definition);
  }

  private static Request count(QueueFixture queue) {
    return new EntityRequest.CountMessages(new Asker(), new Note(), List.of(queue.id));
  }

  @ParameterizedTest
  @EnumSource
  @Rule({"S-307", "S-308", "I-34"})
  void aQueueIsIdleFromItsLastUseOn(Use use) {
    QueueFixture orders = queue("orders");
    shard.advance(Duration.ofMinutes(4));

    use(orders, use);

    if (use.counts()) {
      assertIdleFromNow(orders);
    } else {
      shard.advance(Duration.ofMinutes(1).minusMillis(1));
      assertThat(isThere(orders)).isTrue();
      shard.advance(A_MOMENT);
      assertThat(isThere(orders)).isFalse();
    }
  }

  @Test
  @Rule({"S-307", "I-34"})
  void aClockThatIsSetForwardMakesNothingIdle() {
    QueueFixture orders = queue("orders");

    shard.nowMillis += Duration.ofDays(1).toMillis();
    shard.tickWhileDue();

    assertThat(isThere(orders)).isTrue();
    assertIdleFromNow(orders);
  }

  @Test
  @Rule({"S-307", "S-296"})
  void byDefaultAndWhereMessagesAreForwardedNothingIsEverIdle() {
    QueueFixture.of(shard, QueueDefinition.named("end"));
    QueueFixture plain = QueueFixture.of(shard, QueueDefinition.named("plain"));
    QueueFixture forwards = QueueFixture.of(shard, idle("start").with().forwardTo("end").build());

    shard.advance(Duration.ofDays(4_000));

    assertThat(isThere(plain)).isTrue();
    assertThat(isThere(forwards)).isTrue();
    assertThatThrownBy(
            () -> QueueDefinition.named("q").with().autoDeleteOnIdleMillis(299_999).build())
        .hasMessageContaining("at least 5 minutes");
  }

  @Test
  @Rule({"S-308", "I-34"})
  void whatIsForwardedToAQueueIsUse() {
    QueueFixture end = queue("end");
    QueueFixture start =
        QueueFixture.of(shard, QueueDefinition.named("start").with().forwardTo("end").build());
    shard.advance(Duration.ofMinutes(4));

    start.send(1);

    assertIdleFromNow(end);
    assertThat(isThere(start)).isTrue();
  }

  @Test
  @Rule({"S-311", "S-071"})
  void messagesThatWaitGoWithTheirQueue() {
    QueueFixture orders = queue("orders");
    orders.send(3);
    orders.deadLetter(orders.peekLock());

    shard.advance(IDLE);

    assertThat(isThere(orders)).isFalse();
    assertThat(shard.deadBodies).hasSize(3);
    assertThat(shard.machine.state().deleted()).isEmpty();
  }

  @Test
  @Rule({"S-308", "I-34"})
  void pendingScheduledMessagesKeepAQueueUntilTheyAreActive() {
    QueueFixture orders = queue("orders");
    orders.schedule(shard.nowMillis + 3_600_000);

    shard.advance(Duration.ofMinutes(59));
    assertThat(isThere(orders)).isTrue();
    shard.advance(Duration.ofMinutes(1));

    assertIdleFromNow(orders);
  }

  @Test
  @Rule("S-308")
  void aCancelledScheduleKeepsItNoLonger() {
    QueueFixture orders = queue("orders");
    long[] later = orders.schedule(shard.nowMillis + 3_600_000);
    shard.advance(Duration.ofMinutes(12));

    orders.cancel(later);

    assertIdleFromNow(orders);
  }

  @Test
  @Rule("I-34")
  void aReceiverWithCreditKeepsItUntilItGoes() {
    QueueFixture orders = queue("orders");
    Consumer receiver = orders.consumer().wants(1);

    shard.advance(Duration.ofMinutes(62));
    shard.advance(Duration.ofMinutes(2)); // nobody has looked since
    assertThat(isThere(orders)).isTrue();
    receiver.closes();

    assertIdleFromNow(orders);
  }

  @Test
  @Rule("I-34")
  void aReceiverWithoutCreditDoesNot() {
    QueueFixture orders = queue("orders");
    Consumer receiver = orders.consumer();

    shard.advance(IDLE);

    assertThat(isThere(orders)).isFalse();
    assertThat(receiver.effects().getLast())
        .isEqualTo(
            new Effect.ReceiverEnded(
                receiver.asker, shard.index + 1, new Refusal.EntityNotFound()));
  }

  @Test
  @Rule("I-34")
  void creditOnTheDeadLettersAndAWaitForASessionKeepIt() {
    QueueFixture orders = queue("orders");
    orders.deadLetters().consumer().wants(1);
    QueueFixture carts = QueueFixture.of(shard, idle("carts").withSession(true));
    carts.accepts(null, Duration.ofMinutes(12));

    shard.advance(Duration.ofMinutes(11));

    assertThat(isThere(orders)).isTrue();
    assertThat(isThere(carts)).isTrue();
    shard.advance(Duration.ofMinutes(1));
    assertIdleFromNow(carts);
    assertThat(isThere(orders)).isTrue();
  }

  @Test
  @Rule("I-34")
  void aSessionWhoseHolderHasCreditKeepsItUntilItsLockEnds() {
    QueueFixture carts = QueueFixture.of(shard, idle("carts").withSession(true));
    Consumer holder = carts.accepts("a", Duration.ZERO).wants(1);
    shard.advance(Duration.ofMinutes(1));
    assertThat(holder.lostItsSession()).isTrue();

    assertIdleFromNow(carts);
  }

  @Test
  @Rule("I-34")
  void aDeliveryThatUsesTheCreditUpIsAUse() {
    QueueFixture.of(shard, QueueDefinition.named("events").as(new QueueRole.Topic(false)));
    QueueFixture events =
        new QueueFixture(
            shard,
            shard.machine.queues().getFirst().queue(),
            shard.machine.queues().getFirst().deadLetterQueue());
    QueueFixture audit = subscription(idle("events/Subscriptions/a"));
    audit.consumer(ReceiveMode.RECEIVE_AND_DELETE).wants(1);
    shard.advance(Duration.ofMinutes(17));
    shard.advance(Duration.ofMinutes(2)); // nobody has looked since

    events.send(1);

    assertIdleFromNow(audit);
  }

  @Test
  @Rule({"S-310", "I-34"})
  void messagesThatArriveDoNotKeepASubscriptionAndNewRulesDo() {
    QueueFixture events =
        QueueFixture.of(shard, QueueDefinition.named("events").as(new QueueRole.Topic(false)));
    QueueFixture a = subscription(idle("events/Subscriptions/a"));
    QueueFixture b = subscription(idle("events/Subscriptions/b"));
    QueueFixture c = subscription(idle("events/Subscriptions/c"));
    shard.advance(Duration.ofMinutes(4));
    var all = io.peeklock.kernel.entity.Rule.selectingAll(0);
    var more = new io.peeklock.kernel.entity.Rule("more", all.filter(), null, 0);
    shard.ask(new Request.AddRule(new Asker(), new Note(), b.id, more));
    c.peek();
    events.send(1);

    shard.advance(Duration.ofMinutes(1));

    assertThat(isThere(a)).isFalse();
    assertThat(isThere(b)).isTrue();
    assertThat(isThere(c)).isTrue();
    shard.advance(Duration.ofMinutes(4));
    assertThat(isThere(b)).isFalse();
    assertThat(isThere(c)).isFalse();
    assertThat(isThere(events)).isTrue();
  }

  @Test
  @Rule({"S-309", "I-34"})
  void whatIsDoneWithASubscriptionKeepsItsTopic() {
    QueueFixture events = topic();
    QueueFixture audit = subscription(QueueDefinition.named("events/Subscriptions/a"));
    shard.advance(Duration.ofMinutes(4));
    audit.peek();
    shard.advance(ALMOST);
    assertThat(isThere(events)).isTrue();
    Consumer receiver = audit.consumer().wants(1);
    shard.advance(Duration.ofMinutes(62));
    assertThat(isThere(events)).isTrue();
    receiver.closes();

    assertIdleFromNow(events);

    assertThat(isThere(audit)).as("it goes with its topic").isFalse();
  }

  @Test
  @Rule({"S-309", "I-34"})
  void sendsUpdatesAndSchedulesKeepATopic() {
    QueueFixture events = topic();
    shard.advance(ALMOST);
    events.send(1);
    shard.advance(ALMOST);
    shard.ask(update(idle("events").as(new QueueRole.Topic(false))));
    shard.advance(ALMOST);
    events.schedule(shard.nowMillis + 3_600_000);
    shard.advance(Duration.ofMinutes(60));

    assertIdleFromNow(events);
  }

  @Test
  void aTopicThatIsIdleTogetherWithItsSubscriptionsGoesOnce() {
    topic();
    subscription(idle("events/Subscriptions/a"));
    subscription(idle("events/Subscriptions/b"));
    queue("orders");

    shard.advance(IDLE);

    assertThat(shard.machine.queues()).isEmpty();
  }

  @Test
  @Rule("I-34")
  void aRestartCountsAnew() {
    QueueFixture orders = queue("orders");
    shard.advance(ALMOST);
    shard.restart();
    shard.advance(Duration.ZERO);

    assertIdleFromNow(orders);
  }

  @Test
  @Rule({"S-307", "I-34"})
  void theTimeThatIsSetLaterCountsFromTheUpdate() {
    QueueFixture orders = QueueFixture.of(shard, QueueDefinition.named("orders"));
    shard.advance(Duration.ofDays(3));
    shard.ask(update(idle("orders")));

    assertIdleFromNow(orders);
  }

  @Test
  @Rule("S-489")
  void anAdministratorIsToldWhenAnEntityWasUsed() {
    QueueFixture orders = queue("orders");
    shard.advance(A_MOMENT);
    orders.deadLetters().peek();
    long used = shard.nowMillis;
    shard.advance(A_MOMENT);

    EntityCounts counts =
        Objects.requireNonNull(
            ShardFixture.only(shard.ask(count(orders)), Effect.MessagesCounted.class)
                .counts()
                .getFirst());

    assertThat(counts.accessedAtMillis()).isEqualTo(used);
  }

  @Test
  @Rule({"S-489", "S-307"})
  void whatAdministratorsDoWithAQueueIsNoAccessToIt() {
    QueueFixture orders = queue("orders");
    shard.advance(A_MOMENT);
    shard.ask(update(idle("orders")));

    assertThat(counts(orders).accessedAtMillis()).isZero();
    orders.peek();
    assertThat(counts(orders).accessedAtMillis()).as("in the same millisecond").isPositive();
    shard.restart();
    shard.tickWhileDue();
    assertThat(counts(orders).accessedAtMillis()).as("since the start").isZero();
  }

  @Test
  @Rule({"S-489", "S-309"})
  void aSubscriptionThatIsMadeIsAccessToItAndToItsTopic() {
    QueueFixture topic = topic();
    shard.ask(update(idle("events").as(new QueueRole.Topic(false))));
    assertThat(counts(topic).accessedAtMillis()).isZero();

    QueueFixture below = subscription(idle("events/subscriptions/s"));

    assertThat(counts(topic).accessedAtMillis()).isGreaterThan(updatedAt(topic));
    assertThat(counts(below).accessedAtMillis()).isGreaterThan(updatedAt(below));
    long made = updatedAt(below);
    shard.restart();
    assertThat(counts(below).accessedAtMillis()).as("never before it was made").isEqualTo(made);
  }

  @Test
  @Rule("S-489")
  void eachChangeIsToldAsLaterThanTheOneBefore() {
    QueueFixture orders = queue("orders");
    long created = updatedAt(orders);

    shard.ask(update(idle("orders")));
    long first = updatedAt(orders);
    shard.ask(update(idle("orders")));
    long second = updatedAt(orders);
    orders.peek();

    assertThat(first).isGreaterThan(created);
    assertThat(second).isGreaterThan(first);
    assertThat(counts(orders).accessedAtMillis()).isGreaterThan(second);
  }

  private long updatedAt(QueueFixture queue) {
    return shard.machine.queues().stream()
        .filter(entry -> entry.queue().equals(queue.id))
        .findAny()
        .orElseThrow()
        .updatedAtMillis();
  }

  private EntityCounts counts(QueueFixture queue) {
    return Objects.requireNonNull(
        ShardFixture.only(shard.ask(count(queue)), Effect.MessagesCounted.class)
            .counts()
            .getFirst());
  }
}
