package io.peeklock.kernel.settle;

import static io.peeklock.kernel.machine.QueueFixture.Outcome.DONE;
import static io.peeklock.kernel.machine.QueueFixture.Outcome.LOST;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.machine.Definitions;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Consumer;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.kernel.session.SessionEnding;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What counts as a failed attempt, and what happens at the last one. */
class DeliveryCountTest {

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  @Test
  @Rule({"S-029", "S-126", "S-127", "S-192", "S-134", "I-20", "I-21"})
  void theNthAbandonDeadLettersAtOnceWithTheCountThatReceiversDidNotSee() {
    QueueFixture queue = QueueFixture.of(shard, Definitions.maxDeliveryCount(3));
    queue.send(1);

    List<Integer> seen = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Received message = queue.peekLock();
      seen.add(message.deliveryCount());
      assertThat(queue.abandon(message)).isEqualTo(DONE);
    }

    assertThat(seen).containsExactly(0, 1, 2);
    assertThat(queue.peek()).isEmpty();
    Received dead = queue.deadLetters().peek().getFirst();
    assertThat(dead.deliveryCount()).isEqualTo(3);
    assertThat(dead.cause()).isEqualTo(DeadLetterCause.MAX_DELIVERY_COUNT_EXCEEDED);
  }

  @Test
  @Rule({"S-029", "S-126", "S-419", "I-21"})
  void theNthLapsedLockDeadLettersWithoutAnotherReceive() {
    QueueFixture queue = QueueFixture.of(shard, Definitions.maxDeliveryCount(2));
    queue.send(1);

    queue.peekLock();
    shard.advance(ofMinutes(1));
    queue.peekLock();
    shard.advance(ofMinutes(1));

    assertThat(queue.peek()).isEmpty();
    assertThat(queue.deadLetters().peek().getFirst().deliveryCount()).isEqualTo(2);
  }

  @Test
  @Rule("S-042")
  void aLockThatLapsesWhereTheLogIsSparedIsAsOneThatEndsWithTheProcess() {
    QueueFixture queue = QueueFixture.of(shard, Definitions.maxDeliveryCount(1));
    queue.send(1);
    int written = shard.log.size();

    shard.machine.sparesLog(true);
    for (int i = 0; i < 3; i++) {
      assertThat(queue.peekLock().deliveryCount()).isZero();
      shard.advance(ofMinutes(1));
    }

    assertThat(shard.log).as("nothing is written for it").hasSize(written);
    shard.machine.sparesLog(false);
    queue.peekLock();
    shard.advance(ofMinutes(1));
    assertThat(queue.deadLetters().peek()).hasSize(1);
  }

  @Test
  @Rule("S-042")
  void aSessionThatLapsesWhereTheLogIsSparedIsAsOneThatEndsWithTheProcess() {
    QueueFixture queue = QueueFixture.of(shard, Definitions.maxDeliveryCount(1).withSession(true));
    int many = 2 * SessionEnding.SLICE + 1;
    String[] ids = new String[many];
    Arrays.fill(ids, "a");
    queue.sendTo(ids);
    shard.checkEveryStep = false;
    int written = shard.log.size();
    Consumer holder = queue.accepts("a", Duration.ZERO).wants(many);
    assertThat(queue.counts().locked()).isEqualTo(many);

    shard.machine.sparesLog(true);
    shard.advance(ofMinutes(1));

    assertThat(holder.lostItsSession()).isTrue();
    assertThat(queue.counts().locked()).isZero();
    assertThat(shard.log).as("nothing is written for it").hasSize(written);
    queue.accepts("a", Duration.ZERO).wants(1);
    shard.machine.sparesLog(false);
    shard.advance(ofMinutes(1));
    assertThat(queue.deadLetters().peek()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"ABANDON", "DEFER"})
  @Rule({"S-124", "S-126"})
  void withAMaximumOfOneTheFirstCountedEndDeadLetters(Settlement settlement) {
    QueueFixture queue = QueueFixture.of(shard, Definitions.maxDeliveryCount(1));
    queue.send(1);
    Received message = queue.peekLock();

    assertThat(queue.settle(settlement, message)).isEqualTo(DONE);

    assertThat(queue.peek()).isEmpty();
    Received dead = queue.deadLetters().peek().getFirst();
    assertThat(dead.cause()).isEqualTo(DeadLetterCause.MAX_DELIVERY_COUNT_EXCEEDED);
    assertThat(dead.deliveryCount()).isEqualTo(1);
    assertThat(queue.complete(message)).isEqualTo(LOST);
  }

  @Test
  @Rule({"S-126", "S-092", "S-114"})
  void uncountedEndsMayRepeatWithoutLimit() {
    QueueFixture queue = QueueFixture.of(shard, Definitions.maxDeliveryCount(1));
    queue.send(1);

    for (int i = 0; i < 20; i++) {
      Received message = queue.peekLock();
      assertThat(message.deliveryCount()).isZero();
      queue.release(message);
      queue.peekLock();
      shard.restart();
    }

    assertThat(queue.counts().active()).isEqualTo(1);
  }

  @Test
  @Rule({"S-122", "S-125", "S-108"})
  void deliveryPeekRenewalAndRefusedSettlementsCountNothing() {
    QueueFixture queue = QueueFixture.of(shard, Definitions.maxDeliveryCount(1));
    queue.send(2);
    Received message = queue.peekLock();
    Received other = queue.peekLock();
    queue.complete(other);

    queue.peek();
    queue.renew(message);
    queue.abandon(other);

    assertThat(queue.peek().getFirst().deliveryCount()).isZero();
    assertThat(queue.complete(message)).isEqualTo(DONE);
  }

  @Test
  @Rule("S-145")
  void numberAndEnqueuedTimeOutliveEveryEnd() {
    QueueFixture queue = QueueFixture.of(shard, Definitions.maxDeliveryCount(4));
    queue.send(1);
    Received first = queue.peekLock();
    shard.advance(ofMinutes(1));
    queue.abandon(queue.peekLock());
    queue.defer(queue.peekLock());
    queue.deadLetter(queue.receiveDeferred(1).getFirst());

    Received dead = queue.deadLetters().peekLock();

    assertThat(dead.number()).isEqualTo(first.number());
    assertThat(dead.enqueuedAt()).isEqualTo(first.enqueuedAt());
    assertThat(dead.bodyId()).isEqualTo(first.bodyId());
    assertThat(dead.deliveryCount()).isEqualTo(3);
  }

  @Test
  @Rule({"S-126", "I-20"})
  void aBurstPartsIntoThoseAtTheirLastAttemptAndTheOthers() {
    QueueFixture queue = QueueFixture.of(shard, Definitions.maxDeliveryCount(2));
    queue.send(3);
    queue.abandon(queue.peekLock());
    List<Received> messages = queue.peekLock(3);

    queue.settleAll(Settlement.ABANDON, messages.toArray(Received[]::new));

    assertThat(QueueFixture.numbers(queue.peek())).containsExactly(2L, 3L);
    assertThat(QueueFixture.numbers(queue.deadLetters().peek())).containsExactly(1L);
  }
}
