package io.peeklock.kernel.deliver;

import static io.peeklock.kernel.machine.QueueFixture.SIZE;
import static io.peeklock.kernel.machine.QueueFixture.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.Definitions;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Consumer;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.state.Demand;
import io.peeklock.kernel.state.Receiver;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who gets which message when. */
class DeliveryTest {

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private final QueueFixture queue = QueueFixture.of(shard, Definitions.defaults());

  @Test
  @Rule({"S-135", "I-15"})
  void messagesComeInTheOrderOfTheirNumbers() {
    queue.send(700);

    List<Received> messages = queue.peekLock(700);

    assertThat(numbers(messages)).hasSize(700).isSorted().startsWith(1L).endsWith(700L);
  }

  @Test
  @Rule({"S-024", "S-027", "S-051", "S-417", "I-16"})
  void competingConsumersNeverShareAMessage() {
    queue.send(5);
    Consumer first = queue.consumer().wants(2);
    Consumer second = queue.consumer().wants(2);
    Consumer third = queue.consumer().wants(2);

    assertThat(numbers(first.gets())).containsExactly(1L, 2L);
    assertThat(numbers(second.gets())).containsExactly(3L, 4L);
    assertThat(numbers(third.gets())).containsExactly(5L);
  }

  @Test
  @Rule({"S-086", "S-088", "S-115"})
  void creditIsUsedUpAndEachMessageLockedFromTheMomentItIsTaken() {
    queue.send(3);
    shard.passes(Duration.ofSeconds(4));

    List<Received> messages = queue.peekLock(2);

    assertThat(messages).extracting(Received::lockedUntil).containsOnly(shard.nowMillis + 60_000);
    assertThat(queue.counts().locked()).isEqualTo(2);
    assertThat(queue.counts().active()).isEqualTo(3);
  }

  @Test
  @Rule("S-087")
  void waitingCreditOfAllReceiversIsServedInTheOrderInWhichItCame() {
    Consumer first = queue.consumer().wants(1);
    Consumer second = queue.consumer().wants(2);
    first.wants(2);

    queue.send(6);

    assertThat(numbers(first.gets())).containsExactly(1L, 4L, 5L);
    assertThat(numbers(second.gets())).containsExactly(2L, 3L);
  }

  @Test
  @Rule("S-087")
  void takingCreditBackTakesTheNewest() {
    Consumer first = queue.consumer().wants(2);
    Consumer second = queue.consumer().wants(1);
    first.wants(3);
    first.wantsInAll(1);

    queue.send(4);

    assertThat(numbers(first.gets())).containsExactly(1L);
    assertThat(numbers(second.gets())).containsExactly(2L);
  }

  @Test
  @Rule("S-087")
  void creditBelowWhatWasDeliveredIsNone() {
    queue.send(3);
    Consumer consumer = queue.consumer().wants(2).wantsInAll(1);
    assertThat(consumer.gets()).hasSize(2);

    assertThat(consumer.wantsInAll(2).gets()).isEmpty();
    assertThat(numbers(consumer.wantsInAll(3).gets())).containsExactly(3L);
  }

  @Test
  void limitsBeyondAllReasonAreTakenAsTheyAre() {
    queue.send(2);

    assertThat(queue.consumer().wantsInAll(Long.MIN_VALUE).gets()).isEmpty();
    assertThat(queue.consumer().wantsInAll(Long.MAX_VALUE).gets()).hasSize(2);
  }

  @Test
  @Rule("S-087")
  void veryManySmallFlowsAreRememberedInFewLotsAndNoneIsLost() {
    Consumer first = queue.consumer();
    Consumer second = queue.consumer();
    for (int i = 0; i < 3 * Demand.MAX_LOTS; i++) {
      first.wants(1);
      second.wants(1);
    }

    queue.send(6 * Demand.MAX_LOTS);

    assertThat(first.gets()).hasSize(3 * Demand.MAX_LOTS);
    assertThat(second.gets()).hasSize(3 * Demand.MAX_LOTS);
  }

  @Test
  @Rule({"S-118", "S-119", "S-122"})
  void theFirstDeliveryShowsNoFailedAttempt() {
    queue.send(1);

    Received message = queue.peekLock();

    assertThat(message.deliveryCount()).isZero();
    assertThat(queue.peek().getFirst().deliveryCount()).isZero();
  }

  @Test
  @Rule({"S-021", "S-022", "S-023", "S-420", "I-07"})
  void receiveAndDeleteRemovesBeforeTheTransferLeaves() {
    queue.send(2);

    List<Received> messages = queue.receiveAndDelete(2);

    assertThat(messages).extracting(Received::lockId).containsOnly(0L);
    assertThat(queue.peek()).isEmpty();
    ShardFixture.Logged consumed =
        shard.log.stream()
            .filter(logged -> logged.fact() instanceof Fact.Consumed)
            .findAny()
            .orElseThrow();
    Effect delivered =
        shard.effects.stream().filter(Effect.Delivered.class::isInstance).findAny().orElseThrow();
    assertThat(delivered.index()).isEqualTo(consumed.index());
    shard.restart();
    assertThat(queue.peekLock(1)).isEmpty();
  }

  @Test
  @Rule({"S-020", "S-096"})
  void eachReceiverWorksInItsOwnMode() {
    queue.send(2);
    Consumer locking = queue.consumer(ReceiveMode.PEEK_LOCK).wants(1);
    Consumer deleting = queue.consumer(ReceiveMode.RECEIVE_AND_DELETE).wants(1);

    assertThat(locking.gets()).extracting(Received::lockId).doesNotContain(0L);
    assertThat(deleting.gets()).extracting(Received::lockId).containsOnly(0L);
    assertThat(queue.counts().active()).isEqualTo(1);
  }

  @Test
  void aDeliveryWaitsOnlyForTheNewestFactAboutItsMessages() {
    queue.send(2);
    long stored = shard.index;
    Received first = queue.peekLock();
    queue.complete(first);

    Consumer consumer = queue.consumer().wants(1);

    assertThat(consumer.effects().getFirst().index()).isEqualTo(stored);
    queue.abandon(consumer.gets().getFirst());
    long abandoned = shard.index;
    Consumer next = queue.consumer().wants(1);
    assertThat(next.effects().getFirst().index()).isEqualTo(abandoned);
  }

  // ---- drain

  @Test
  @Rule("S-086")
  void aDrainTakesWhatIsThereAndGivesTheRestBackAfterwards() {
    queue.send(2);
    Consumer consumer = queue.consumer();

    consumer.drains(5);

    List<Effect> effects = consumer.effects();
    assertThat(effects).hasSize(2);
    assertThat(effects.get(0)).isInstanceOf(Effect.Delivered.class);
    assertThat(effects.get(1)).isInstanceOf(Effect.Drained.class);
    assertThat(effects.get(1).index()).isEqualTo(effects.get(0).index());
    queue.send(1);
    assertThat(consumer.gets()).hasSize(2);
    assertThat(numbers(consumer.wants(1).gets())).containsExactly(3L);
  }

  @Test
  @Rule("S-086")
  void aDrainIsAnsweredAtOnceWithNothingToDeliverAndWithNoCredit() {
    Consumer consumer = queue.consumer();

    consumer.drains(0);
    consumer.drains(3);

    assertThat(consumer.drainsEnded()).isEqualTo(2);
    assertThat(consumer.effects()).extracting(Effect::index).containsOnly(0L);
    queue.send(1);
    consumer.drains(0);
    assertThat(consumer.drainsEnded()).as("with messages there, too").isEqualTo(3);
    assertThat(consumer.gets()).isEmpty();
  }

  @Test
  @Rule({"S-086", "S-087"})
  void aDrainThatIsServedInFullEndsWhileOthersStillWait() {
    queue.send(3);
    Consumer consumer = queue.consumer();

    consumer.drains(2);

    assertThat(consumer.gets()).hasSize(2);
    assertThat(consumer.drainsEnded()).isEqualTo(1);
  }

  @Test
  void aReceiverThatLeftIsNotDrained() {
    queue.sendSized((int) Receiver.BUDGET_BYTES, SIZE);
    Consumer consumer = queue.consumer();
    consumer.drains(5);
    assertThat(consumer.drainsEnded()).isZero();

    consumer.closes();
    queue.peekLock();

    assertThat(consumer.drainsEnded()).isZero();
    assertThat(consumer.gets()).hasSize(1);
  }

  // ---- budget

  @Test
  @Rule("S-102")
  void aSlowReceiverGetsNoMoreThanItsBudgetButKeepsItsPlace() {
    int half = (int) Receiver.BUDGET_BYTES / 2;
    Consumer slow = queue.consumer().wants(10);
    Consumer other = queue.consumer().wants(1);

    queue.sendSized(half, half, half, half);

    assertThat(numbers(slow.gets())).containsExactly(1L, 2L);
    assertThat(numbers(other.gets())).containsExactly(3L);
    slow.transferred(half);
    assertThat(numbers(slow.gets())).containsExactly(4L);
  }

  @Test
  void oneMessageAlwaysGoesHoweverLarge() {
    Consumer consumer = queue.consumer().wants(2);

    queue.sendSized(5 << 20, SIZE);

    assertThat(consumer.gets()).hasSize(1);
    consumer.transferred(5 << 20);
    assertThat(consumer.gets()).hasSize(1);
  }

  @Test
  void aBurstForManySmallDemandsIsSharedOutInTheirOrder() {
    List<Consumer> consumers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      consumers.add(queue.consumer().wants(1));
    }
    consumers.forEach(consumer -> consumer.wants(1));

    queue.send(40);

    for (int i = 0; i < 20; i++) {
      assertThat(numbers(consumers.get(i).gets())).containsExactly(i + 1L, i + 21L);
    }
  }

  @Test
  void queuesTakeTurns() {
    QueueFixture other = QueueFixture.of(shard, QueueDefinition.named("other"));
    queue.send(1_200);
    other.send(1_200);
    Consumer first = queue.consumer();
    Consumer second = other.consumer();
    shard.take(shard.decide(new Request.Flow(first.asker, 2_000, false)));
    shard.take(shard.decide(new Request.Flow(second.asker, 2_000, false)));

    shard.take(shard.machine.dispatch(shard.stamp()));
    shard.take(shard.machine.dispatch(shard.stamp()));

    assertThat(first.gets()).hasSize(DispatchHandler.SLICE);
    assertThat(second.gets()).hasSize(DispatchHandler.SLICE);
    shard.dispatchWhileWanted();
    assertThat(first.gets()).hasSize(1_200 - DispatchHandler.SLICE);
    assertThat(second.gets()).hasSize(1_200 - DispatchHandler.SLICE);
  }

  // ---- receivers come and go

  @Test
  @Rule("S-113")
  void aClosedReceiversCreditIsGoneAndItsLocksStay() {
    queue.send(1);
    Consumer consumer = queue.consumer().wants(5);
    Received message = consumer.gets().getFirst();

    consumer.closes();
    queue.send(1);

    assertThat(consumer.gets()).isEmpty();
    assertThat(numbers(queue.peekLock(5))).containsExactly(2L);
    assertThat(queue.complete(message)).isEqualTo(QueueFixture.Outcome.DONE);
  }

  @Test
  @Rule({"S-095", "S-114", "S-028"})
  void deliveriesThatNeverArrivedAreFreeAgainUncountedAndTheirCreditStands() {
    queue.send(3);
    Consumer consumer = queue.consumer().wants(2);
    List<Received> lost = consumer.gets();

    consumer.undelivered(lost.get(0), lost.get(1));

    List<Received> again = consumer.gets();
    assertThat(numbers(again)).containsExactly(1L, 2L);
    assertThat(again).extracting(Received::deliveryCount).containsOnly(0);
  }

  @Test
  @Rule("S-095")
  void deliveriesOfAReceiverThatLeftAreFreeForOthers() {
    queue.send(1);
    Consumer consumer = queue.consumer().wants(1);
    Received lost = consumer.gets().getFirst();
    consumer.closes();

    consumer.undelivered(lost);
    consumer.undelivered(lost);

    assertThat(queue.peekLock().number()).isEqualTo(1);
  }

  @Test
  void nothingHappensForReceiversOrQueuesThatAreNotThere() {
    Asker nobody = new Asker();
    QueueId nowhere = new QueueId(99);

    Decision open = shard.ask(new Request.OpenReceiver(nobody, nowhere, ReceiveMode.PEEK_LOCK));
    assertThat(ShardFixture.only(open, Effect.ReceiverEnded.class).refusal())
        .isInstanceOf(Refusal.EntityNotFound.class);
    assertThat(shard.ask(new Request.Flow(nobody, 1, true))).isEqualTo(Decision.NOTHING);
    assertThat(shard.ask(new Request.Transferred(nobody, 1))).isEqualTo(Decision.NOTHING);
    assertThat(shard.ask(new Request.CloseReceiver(nobody))).isEqualTo(Decision.NOTHING);
    assertThat(shard.machine.dispatch(shard.stamp())).isEqualTo(Decision.NOTHING);
  }

  @Test
  void openingTwiceChangesNothing() {
    Consumer consumer = queue.consumer().wants(1);

    Decision again =
        shard.ask(
            new Request.OpenReceiver(consumer.asker, queue.id, ReceiveMode.RECEIVE_AND_DELETE));

    assertThat(again).isEqualTo(Decision.NOTHING);
    queue.send(1);
    assertThat(consumer.gets()).extracting(Received::lockId).doesNotContain(0L);
  }
}
