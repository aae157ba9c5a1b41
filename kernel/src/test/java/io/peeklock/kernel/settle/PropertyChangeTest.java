package io.peeklock.kernel.settle;

import static io.peeklock.kernel.machine.QueueFixture.HEADER;
import static io.peeklock.kernel.machine.QueueFixture.Outcome.DONE;
import static io.peeklock.kernel.machine.QueueFixture.Outcome.LOST;
import static io.peeklock.kernel.machine.QueueFixture.SIZE;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.machine.Definitions;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.request.Overlay;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.proof.Rule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Properties changed by a settlement. */
class PropertyChangeTest {

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private final QueueFixture queue = QueueFixture.of(shard, Definitions.maxDeliveryCount(5));

  private Decision change(Settlement settlement, Received message, Overlay overlay) {
    return shard.ask(queue.settlement(settlement, false, overlay, message.lockId()));
  }

  @Test
  @Rule({"S-082", "I-06"})
  void anAbandonWithPropertiesShowsThemOnTheNextDeliveryAndAfterARestart() {
    queue.send(1);

    assertThat(queue.settleChanging(Settlement.ABANDON, queue.peekLock(), 40)).isEqualTo(DONE);

    assertThat(queue.peek().getFirst().overlayId()).isEqualTo(2);
    shard.restart();
    assertThat(queue.peekLock().overlayId()).isEqualTo(2);
    assertThat(queue.counts().bytes()).isEqualTo(SIZE + 40);
    queue.send(1);
    assertThat(queue.peek().getLast().bodyId()).as("they took a body id").isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource(names = {"DEFER", "DEAD_LETTER"})
  @Rule({"S-082", "S-034", "S-213", "I-06"})
  void deferAndDeadLetterStoreThemToo(Settlement settlement) {
    queue.send(1);

    assertThat(queue.settleChanging(settlement, queue.peekLock(), 40)).isEqualTo(DONE);

    QueueFixture where = settlement == Settlement.DEFER ? queue : queue.deadLetters();
    assertThat(where.peek().getFirst().overlayId()).isEqualTo(2);
    assertThat(queue.counts().bytes()).isEqualTo(SIZE + 40);
  }

  @Test
  @Rule("S-082")
  void aLaterChangeMustContainTheEarlierOneAndReplacesIt() {
    queue.send(1);
    queue.settleChanging(Settlement.ABANDON, queue.peekLock(), 40);
    Received message = queue.peekLock();

    Decision asks =
        shard.decide(
            queue.settlement(Settlement.ABANDON, false, new Overlay(50, 0), message.lockId()));
    assertThat(asks).usingRecursiveComparison().isEqualTo(Decision.needing(2));
    Decision done = change(Settlement.ABANDON, message, new Overlay(60, 2));

    assertThat(QueueFixture.whole(done)).isEqualTo(DONE);
    assertThat(done.keptBodies()).isNull();
    assertThat(queue.peek().getFirst().overlayId()).isEqualTo(3);
    assertThat(shard.deadBodies).containsExactly(2L);
    assertThat(queue.counts().bytes()).isEqualTo(SIZE + 60);
  }

  @Test
  @Rule({"S-075", "I-46"})
  void changesThatOutgrowTheHeaderByThemselvesDoNotAskForEarlierOnes() {
    queue.send(1);
    queue.settleChanging(Settlement.ABANDON, queue.peekLock(), 40);

    Decision done =
        change(
            Settlement.ABANDON,
            queue.peekLock(),
            new Overlay(PropertyChange.MAX_HEADER_BYTES + 1, 0));

    assertThat(QueueFixture.whole(done)).isEqualTo(DONE);
    assertThat(queue.deadLetters().peek()).hasSize(1);
  }

  @Test
  @Rule("S-083")
  void withoutPropertiesTheEarlierOnesStay() {
    queue.send(1);
    queue.settleChanging(Settlement.ABANDON, queue.peekLock(), 40);

    queue.abandon(queue.peekLock());
    queue.deadLetter(queue.peekLock());

    assertThat(queue.deadLetters().peek().getFirst().overlayId()).isEqualTo(2);
    queue.deadLetters().complete(queue.deadLetters().peekLock());
    assertThat(shard.deadBodies).containsExactly(1L, 2L);
    assertThat(queue.counts().bytes()).isZero();
  }

  @Test
  @Rule("S-082")
  void aRefusedSettlementChangesNothingAndKeepsNoBody() {
    queue.send(1);
    Received message = queue.peekLock();
    queue.release(message);

    Decision each = change(Settlement.ABANDON, message, new Overlay(40, 0));
    Decision whole =
        shard.ask(queue.settlement(Settlement.ABANDON, true, new Overlay(40, 0), message.lockId()));

    assertThat(QueueFixture.whole(each)).isEqualTo(LOST);
    assertThat(each.keptBodies()).containsExactly(false);
    assertThat(whole.keptBodies()).containsExactly(false);
    assertThat(queue.peek().getFirst().overlayId()).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"COMPLETE", "RELEASE"})
  @Rule("S-089")
  void completeAndReleaseDropThem(Settlement settlement) {
    queue.send(1);

    Decision decision = change(settlement, queue.peekLock(), new Overlay(40, 0));

    assertThat(QueueFixture.whole(decision)).isEqualTo(DONE);
    assertThat(decision.keptBodies()).containsExactly(false);
    assertThat(queue.peek()).extracting(Received::overlayId).doesNotContain(2L);
  }

  @Test
  @Rule({"S-082", "S-126"})
  void theDeadLetterOfTheLastAbandonShowsThem() {
    QueueFixture once =
        QueueFixture.of(
            shard,
            new QueueDefinition("once", 60_000, 1, Long.MAX_VALUE, false, 1_000, Long.MAX_VALUE));
    once.send(1);

    once.settleChanging(Settlement.ABANDON, once.peekLock(), 40);

    Received dead = once.deadLetters().peek().getFirst();
    assertThat(dead.cause()).isEqualTo(DeadLetterCause.MAX_DELIVERY_COUNT_EXCEEDED);
    assertThat(dead.overlayId()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(names = {"ABANDON", "DEFER", "DEAD_LETTER"})
  @Rule({"S-075", "S-190", "S-074"})
  void propertiesThatOutgrowTheHeaderDeadLetterTheMessageAndTheSettlementIsDone(
      Settlement settlement) {
    queue.send(1);
    Overlay tooLarge = new Overlay(PropertyChange.MAX_HEADER_BYTES - HEADER + 1, 0);

    Decision decision = change(settlement, queue.peekLock(), tooLarge);

    assertThat(QueueFixture.whole(decision)).isEqualTo(DONE);
    assertThat(decision.keptBodies()).containsExactly(false);
    assertThat(queue.peek()).isEmpty();
    Received dead = queue.deadLetters().peek().getFirst();
    assertThat(dead.cause()).isEqualTo(DeadLetterCause.HEADER_SIZE_EXCEEDED);
    assertThat(dead.overlayId()).isZero();
    assertThat(dead.deliveryCount()).isEqualTo(settlement == Settlement.DEAD_LETTER ? 0 : 1);
  }

  @Test
  @Rule({"S-074", "S-075"})
  void propertiesThatJustFitAreStored() {
    queue.send(1);

    queue.settleChanging(
        Settlement.ABANDON, queue.peekLock(), PropertyChange.MAX_HEADER_BYTES - HEADER);

    assertThat(queue.peek().getFirst().overlayId()).isEqualTo(2);
  }

  @Test
  @Rule({"S-185", "S-075"})
  void aDeadLetterStaysWhereItIsWithoutPropertiesThatOutgrowIt() {
    queue.send(1);
    queue.deadLetter(queue.peekLock());
    QueueFixture dead = queue.deadLetters();

    assertThat(
            dead.settleChanging(
                Settlement.ABANDON, dead.peekLock(), PropertyChange.MAX_HEADER_BYTES))
        .isEqualTo(DONE);

    assertThat(dead.peek().getFirst().overlayId()).isZero();
    assertThat(dead.peek().getFirst().deliveryCount()).as("S-132").isZero();
    assertThat(dead.peek().getFirst().cause()).isEqualTo(DeadLetterCause.RECEIVER);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Rule({"S-170", "S-082"})
  void anExpiredMessageTakesThemAlongOrIsDroppedWithThem(boolean deadLettering) {
    QueueFixture expiring =
        QueueFixture.of(
            shard,
            new QueueDefinition(
                "expiring", 60_000, 5, 10_000, deadLettering, 1_000, Long.MAX_VALUE));
    expiring.send(1);
    Received message = expiring.peekLock();
    shard.advance(ofSeconds(10));

    Decision decision =
        shard.ask(
            expiring.settlement(Settlement.ABANDON, false, new Overlay(40, 0), message.lockId()));

    assertThat(QueueFixture.whole(decision)).isEqualTo(DONE);
    assertThat(decision.keptBodies() == null).isEqualTo(deadLettering);
    assertThat(expiring.deadLetters().peek()).hasSize(deadLettering ? 1 : 0);
  }

  @Test
  void manyMessagesHaveTheirOwn() {
    queue.send(60);
    for (Received message : queue.peekLock(60)) {
      queue.settleChanging(Settlement.DEFER, message, 10);
    }

    assertThat(queue.peek()).extracting(Received::overlayId).doesNotHaveDuplicates();
    assertThat(queue.counts().bytes()).isEqualTo(60L * (SIZE + 10));
  }
}
