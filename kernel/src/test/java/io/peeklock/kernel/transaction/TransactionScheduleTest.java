package io.peeklock.kernel.transaction;

import static io.peeklock.kernel.machine.QueueFixture.Outcome.DONE;
import static io.peeklock.kernel.machine.QueueFixture.numbers;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.MessageState;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.Definitions;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Outcome;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.kernel.request.TransactionRequest;
import io.peeklock.kernel.snapshot.Snapshot;
import io.peeklock.proof.Rule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Scheduling and cancelling in transactions, and the room that a commit makes for itself. */
class TransactionScheduleTest {

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private final TransactionFixture transaction = new TransactionFixture(shard);

  private QueueFixture orders() {
    return QueueFixture.of(shard, Definitions.defaults());
  }

  private long in(int seconds) {
    return shard.stamp().nowMillis() + 1_000L * seconds;
  }

  private long[] given(QueueFixture queue, int count) {
    Decision decision =
        shard.ask(new TransactionRequest.GiveNumbers(new Asker(), new Note(), queue.id, count));
    return Objects.requireNonNull(
        ShardFixture.only(decision, Effect.SendAnswered.class).sequenceNumbers());
  }

  private static SendBurst due(long[] numbers, long... dueAtMillis) {
    return burst(dueAtMillis).withGivenNumbers(numbers);
  }

  private static SendBurst burst(long... dueAtMillis) {
    int[] sizes = new int[dueAtMillis.length];
    Arrays.fill(sizes, QueueFixture.SIZE);
    return new SendBurst(
        sizes.length,
        sizes,
        new int[sizes.length],
        TransactionFixture.forever(sizes),
        dueAtMillis,
        null,
        null);
  }

  @Test
  @Rule({"S-160", "S-149", "S-376", "I-12"})
  void whatIsScheduledHasTheNumberThatWasToldBefore() {
    QueueFixture orders = orders();
    long[] told = given(orders, 2);
    orders.schedule(in(9));
    orders.send(1);
    assertThat(numbers(orders.peek())).containsExactly(3L, 4L);

    transaction.sends(orders, due(told, in(7), in(8)));
    assertThat(transaction.commits()).isEqualTo(DONE);

    assertThat(told).containsExactly(1, 2);
    assertThat(orders.peek())
        .extracting(Received::number, Received::state, Received::bodyId)
        .containsExactly(
            tuple(1L, MessageState.SCHEDULED, 3L),
            tuple(2L, MessageState.SCHEDULED, 4L),
            tuple(3L, MessageState.SCHEDULED, 1L),
            tuple(4L, MessageState.ACTIVE, 2L));
    assertThat(orders.cancel(2)).isEqualTo(DONE);
    shard.advance(ofSeconds(9));
    assertThat(orders.peekLock(9)).extracting(Received::bodyId).containsExactly(2L, 3L, 1L);
  }

  @Test
  @Rule({"S-160", "I-12"})
  void numbersOfARollbackAreNobodys() {
    QueueFixture orders = orders();
    long[] told = given(orders, 3);
    transaction.rollsBack();

    orders.send(1);

    assertThat(numbers(orders.peek())).containsExactly(4L);
    for (long number : told) {
      assertThat(orders.cancel(number).refusal())
          .isInstanceOf(Refusal.ScheduledMessagesNotFound.class);
    }
  }

  @Test
  @Rule({"S-150", "S-151"})
  void whatIsDueByTheCommitIsTheLastAndHasANewNumber() {
    QueueFixture orders = orders();
    long[] told = given(orders, 1);
    orders.send(1);
    transaction.sends(orders, due(new long[] {told[0], 0, 0}, in(1), 0, in(9)));
    shard.advance(ofSeconds(2));

    assertThat(transaction.commits()).isEqualTo(DONE);

    assertThat(numbers(orders.peek())).containsExactly(2L, 3L, 4L, 5L);
    assertThat(orders.cancel(told[0]).refusal()).isNotNull();
    assertThat(orders.cancel(5)).isEqualTo(DONE);
  }

  @Test
  @Rule({"S-278", "S-277"})
  void aDuplicateAmongThemIsDroppedAndTheOthersKeepTheirNumbers() {
    QueueFixture once =
        QueueFixture.of(shard, QueueDefinition.named("once").withDuplicateWindow(20_000));
    long[] told = given(once, 3);
    SendBurst three = burst(in(5), in(5), in(5));
    SendBurst twins =
        new SendBurst(
            3,
            three.sizes(),
            three.headerBytes(),
            three.timeToLiveMillis(),
            three.dueAtMillis(),
            new long[] {1, 1, 1, 1, 2, 2},
            null);

    transaction.sends(once, twins.withGivenNumbers(told));

    assertThat(transaction.commits()).isEqualTo(DONE);
    assertThat(numbers(once.peek())).containsExactly(1L, 3L);
  }

  @Test
  @Rule({"I-12", "I-42"})
  void thousandsComeInAnyOrderAmongOthersAndASnapshotHasThemAsTheyWere() {
    shard.checkEveryStep = false;
    QueueFixture orders = orders();
    List<Long> told = new ArrayList<>(LongStream.of(given(orders, 3_000)).boxed().toList());
    orders.schedule(LongStream.generate(() -> in(50)).limit(1_000).toArray());
    Collections.shuffle(told, new Random(7));

    commit(orders, told.subList(0, 2_000));
    long hash = shard.machine.stateHash();
    List<Fact> written = new ArrayList<>();
    Snapshot snapshot = shard.machine.beginSnapshot();
    commit(orders, told.subList(2_000, 3_000));
    for (List<Fact> part = snapshot.next(); !part.isEmpty(); part = snapshot.next()) {
      written.addAll(part);
    }
    snapshot.end();

    assertThat(orders.counts().scheduled()).isEqualTo(4_000);
    assertThat(numbers(orders.peek(1, 500, Long.MAX_VALUE)))
        .isEqualTo(LongStream.rangeClosed(1, 500).boxed().toList());
    assertThat(orders.cancel(LongStream.rangeClosed(1, 4_000).toArray())).isEqualTo(DONE);
    Machine rebuilt = new Machine();
    written.forEach(fact -> rebuilt.apply(0, fact));
    assertThat(rebuilt.stateHash()).isEqualTo(hash);
  }

  private void commit(QueueFixture to, List<Long> numbers) {
    for (int from = 0; from < numbers.size(); from += 100) {
      long[] some = numbers.subList(from, from + 100).stream().mapToLong(n -> n).toArray();
      long[] due = LongStream.of(some).map(number -> in(40) + number % 7).toArray();
      TransactionFixture one = new TransactionFixture(shard).sends(to, due(some, due));
      assertThat(one.commits()).isEqualTo(DONE);
    }
  }

  @Test
  void aNumberIsUsedOnce() {
    QueueFixture orders = orders();
    long[] told = given(orders, 1);
    transaction.sends(orders, due(told, in(5)));
    transaction.commits();
    TransactionRequest.Commit again =
        new TransactionFixture(shard).sends(orders, due(told, in(5))).commit();

    assertThatThrownBy(() -> shard.machine.apply(9, shard.decide(again).facts().getFirst()))
        .hasMessageContaining("a number is used once");
  }

  @Test
  @Rule({"S-062", "S-183"})
  void numbersAreOfQueuesThatCanBeSentToOnly() {
    QueueFixture orders = orders();
    QueueFixture.of(shard, QueueDefinition.named("t").as(new QueueRole.Topic(false)));
    QueueFixture subscription =
        QueueFixture.of(
            shard,
            QueueDefinition.named("t/Subscriptions/s").as(new QueueRole.Subscription("t", true)));

    for (QueueId nowhere : List.of(orders.deadLetters().id, subscription.id, new QueueId(99))) {
      Decision decision =
          shard.ask(new TransactionRequest.GiveNumbers(new Asker(), new Note(), nowhere, 1));
      assertThat(QueueFixture.whole(decision).refusal()).isEqualTo(new Refusal.EntityNotFound());
    }
  }

  @Test
  @Rule({"S-154", "S-160"})
  void whatCouldBeCancelledIsSaidAndNotDone() {
    QueueFixture orders = orders();
    long[] scheduled = orders.schedule(in(5), in(6));

    assertThat(found(orders, scheduled)).isEqualTo(DONE);
    assertThat(found(orders, scheduled[0], 77).refusal())
        .isInstanceOfSatisfying(
            Refusal.ScheduledMessagesNotFound.class,
            missing -> assertThat(missing.sequenceNumbers()).containsExactly(77));
    assertThat(orders.counts().scheduled()).isEqualTo(2);
  }

  private Outcome found(QueueFixture queue, long... numbers) {
    return QueueFixture.whole(
        shard.ask(
            new TransactionRequest.FindScheduled(new Asker(), new Note(), queue.id, numbers)));
  }

  // ---- room

  @Test
  @Rule({"S-435", "S-379"})
  void whatIsCompletedOrCancelledMakesRoomForWhatIsSent() {
    QueueFixture small = QueueFixture.of(shard, Definitions.maxSize(300));
    small.send(2);
    long[] scheduled = small.schedule(in(5));
    assertThat(new TransactionFixture(shard).sends(small, 1).commits().refusal())
        .isInstanceOf(Refusal.QuotaExceeded.class);
    TransactionFixture twice = new TransactionFixture(shard);
    twice.cancels(small, scheduled[0], scheduled[0]).sends(small, 2);
    assertThat(twice.commits().refusal()).isInstanceOf(Refusal.QuotaExceeded.class);
    List<Received> messages = small.peekLock(2);

    transaction.completes(small, messages.get(0));
    transaction.settles(Settlement.ABANDON, small, messages.get(1));
    transaction.cancels(small, scheduled[0], scheduled[0]).sends(small, 2);

    assertThat(transaction.commits()).isEqualTo(DONE);
    assertThat(small.counts().bytes()).isEqualTo(300);
  }

  @Test
  @Rule({"S-435", "S-187"})
  void noMoreThanWhatLeavesMakesRoom() {
    QueueFixture small = QueueFixture.of(shard, Definitions.maxSize(300));
    small.send(3);
    List<Received> messages = small.peekLock(3);
    transaction.completes(small, messages.get(0));
    transaction.settles(Settlement.DEAD_LETTER, small, messages.get(1));
    transaction.settles(Settlement.DEFER, small, messages.get(2));

    transaction.sends(small, 2);

    assertThat(transaction.commits().refusal()).isInstanceOf(Refusal.QuotaExceeded.class);
    assertThat(small.counts().bytes()).isEqualTo(300);
  }

  @Test
  @Rule({"S-435", "S-187"})
  void aDeadLetterThatIsDoneMakesRoomInItsQueue() {
    QueueFixture small = QueueFixture.of(shard, Definitions.maxSize(100));
    small.send(1);
    small.deadLetter(small.peekLock());
    QueueFixture dead = small.deadLetters();
    transaction.completes(dead, dead.peekLock());

    assertThat(transaction.sends(small, 1).commits()).isEqualTo(DONE);
  }

  @Test
  @Rule({"S-056", "S-394", "S-390"})
  void aMessageOfASubscriptionMakesRoomInItsTopic() {
    QueueFixture topic =
        QueueFixture.of(shard, Definitions.maxSize(100).as(new QueueRole.Topic(false)));
    QueueFixture subscription =
        QueueFixture.of(
            shard,
            QueueDefinition.named("orders/Subscriptions/s")
                .as(new QueueRole.Subscription("orders", true)));
    topic.send(1);
    Received message = subscription.peekLock();
    assertThat(new TransactionFixture(shard).sends(topic, 1).commits().refusal())
        .isInstanceOf(Refusal.QuotaExceeded.class);
    transaction.completes(subscription, message);

    assertThat(transaction.sends(topic, 1).commits()).isEqualTo(DONE);
    assertThat(numbers(subscription.peek())).containsExactly(2L);
  }
}
