package io.peeklock.kernel.turn;

import static io.peeklock.kernel.machine.QueueFixture.Outcome.DONE;
import static io.peeklock.kernel.machine.QueueFixture.numbers;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.columns.Chunk;
import io.peeklock.kernel.decide.FetchedBodies;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.machine.Definitions;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Consumer;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.proof.Rule;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens when a message's time is over. */
class ExpiryTest {

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private QueueFixture queue(boolean deadLettering) {
    return QueueFixture.of(shard, Definitions.timeToLive(ofSeconds(20), deadLettering));
  }

  @Test
  @Rule({"S-167", "S-168", "S-172", "I-32"})
  void anExpiredMessageIsDroppedByItselfAtItsTime() {
    QueueFixture queue = queue(false);
    queue.send(1);

    shard.advance(ofMillis(19_999));
    assertThat(queue.peek()).hasSize(1);
    shard.advance(ofMillis(1));

    assertThat(queue.peek()).isEmpty();
    assertThat(queue.deadLetters().peek()).isEmpty();
    assertThat(shard.deadBodies).containsExactly(1L);
  }

  @Test
  @Rule({"S-168", "S-191", "S-134"})
  void anExpiredMessageIsDeadLetteredWhereTheQueueSaysSo() {
    QueueFixture queue = queue(true);
    queue.send(1);
    queue.abandon(queue.peekLock());

    shard.advance(ofSeconds(20));

    Received dead = queue.deadLetters().peek().getFirst();
    assertThat(dead.cause()).isEqualTo(DeadLetterCause.TTL_EXPIRED);
    assertThat(dead.deliveryCount()).isEqualTo(1);
  }

  @Test
  @Rule({"S-167", "S-173"})
  void anExpiredMessageThatNobodyNoticedMayBePeekedButIsNotDelivered() {
    QueueFixture queue = queue(false);
    queue.send(2);
    shard.passes(ofSeconds(10));
    queue.send(1);
    shard.passes(ofSeconds(10));
    assertThat(queue.peek()).hasSize(3);

    List<Received> messages = queue.peekLock(5);

    assertThat(numbers(messages)).containsExactly(3L);
    assertThat(queue.peek()).hasSize(1);
  }

  @Test
  @Rule("S-167")
  void aThousandExpiredMessagesOnTheWayDoNotHideTheOneBehindThem() {
    QueueFixture queue = queue(true);
    queue.send(1_000);
    shard.passes(ofSeconds(20));
    queue.send(1);

    assertThat(numbers(queue.peekLock(1))).containsExactly(1_001L);
    assertThat(queue.counts().deadLetters()).isEqualTo(1_000);
  }

  @Test
  @Rule("S-167")
  void waitingDemandOfReceiveAndDeleteSkipsTheExpired() {
    QueueFixture queue = queue(false);
    queue.send(3);
    shard.passes(ofSeconds(20));

    Consumer consumer = queue.consumer(ReceiveMode.RECEIVE_AND_DELETE).wants(1);

    assertThat(consumer.gets()).isEmpty();
    queue.send(1);
    assertThat(numbers(consumer.gets())).containsExactly(4L);
  }

  @ParameterizedTest
  @EnumSource(names = {"COMPLETE", "DEAD_LETTER", "DEFER"})
  @Rule({"S-169", "S-171"})
  void underItsLockAnExpiredMessageCanBeSettledAndRenewedAsIfNothingHadHappened(
      Settlement settlement) {
    QueueFixture queue = queue(true);
    queue.send(1);
    Received message = queue.peekLock();
    shard.advance(ofSeconds(50));
    assertThat(queue.renew(message)).isEqualTo(DONE);
    shard.advance(ofSeconds(50));
    assertThat(queue.peek()).as("it stays while it is locked").hasSize(1);

    assertThat(queue.settle(settlement, message)).isEqualTo(DONE);

    assertThat(queue.deadLetters().peek())
        .extracting(Received::cause)
        .isEqualTo(
            settlement == Settlement.DEAD_LETTER ? List.of(DeadLetterCause.RECEIVER) : List.of());
    assertThat(queue.counts().deferred()).isEqualTo(settlement == Settlement.DEFER ? 1 : 0);
  }

  @ParameterizedTest
  @EnumSource(names = {"ABANDON", "RELEASE"})
  @Rule("S-170")
  void anExpiredMessageThatIsLetGoExpiresInsteadOfComingAgain(Settlement settlement) {
    QueueFixture queue = queue(true);
    queue.send(1);
    Received message = queue.peekLock();
    shard.advance(ofSeconds(20));

    assertThat(queue.settle(settlement, message)).isEqualTo(DONE);

    assertThat(queue.peek()).isEmpty();
    Received dead = queue.deadLetters().peek().getFirst();
    assertThat(dead.cause()).isEqualTo(DeadLetterCause.TTL_EXPIRED);
    assertThat(dead.deliveryCount()).isEqualTo(settlement == Settlement.ABANDON ? 1 : 0);
  }

  @ParameterizedTest
  @EnumSource(names = {"ABANDON", "RELEASE"})
  @Rule("S-170")
  void orIsDroppedWhereTheQueueSaysSo(Settlement settlement) {
    QueueFixture queue = queue(false);
    queue.send(1);
    Received message = queue.peekLock();
    shard.advance(ofSeconds(20));

    assertThat(queue.settle(settlement, message)).isEqualTo(DONE);

    assertThat(queue.peek()).isEmpty();
    assertThat(queue.deadLetters().peek()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Rule({"S-170", "I-20"})
  void aLockThatRunsOutAfterExpiryEndsTheMessage(boolean deadLettering) {
    QueueFixture queue = queue(deadLettering);
    queue.send(1);
    queue.peekLock();

    shard.advance(ofSeconds(60));

    assertThat(queue.peek()).isEmpty();
    assertThat(queue.deadLetters().peek())
        .extracting(Received::deliveryCount)
        .isEqualTo(deadLettering ? List.of(1) : List.of());
  }

  @Test
  @Rule({"S-170", "S-126"})
  void theLastAttemptGoesBeforeExpiryAndIsNeverDropped() {
    QueueFixture queue = QueueFixture.of(shard, Definitions.expiring(ofSeconds(20), false, 1));
    queue.send(1);
    Received message = queue.peekLock();
    shard.advance(ofSeconds(20));

    queue.abandon(message);

    assertThat(queue.deadLetters().peek())
        .extracting(Received::cause)
        .containsExactly(DeadLetterCause.MAX_DELIVERY_COUNT_EXCEEDED);
  }

  @Test
  @Rule({"S-170", "S-095"})
  void anUndeliveredMessageThatExpiredMeanwhileExpires() {
    QueueFixture queue = queue(true);
    queue.send(1);
    Consumer consumer = queue.consumer().wants(1);
    Received message = consumer.gets().getFirst();
    shard.advance(ofSeconds(20));

    consumer.undelivered(message);

    assertThat(consumer.gets()).isEmpty();
    assertThat(queue.counts().deadLetters()).isEqualTo(1);
  }

  @Test
  @Rule({"S-174", "S-177"})
  void aDeferredMessagePastItsTimeStaysWhileNobodyTouchesIt() {
    QueueFixture queue = queue(true);
    queue.send(1);
    queue.defer(queue.peekLock());

    shard.advance(ofHours(1));

    assertThat(queue.counts().deferred()).isEqualTo(1);
    assertThat(queue.deadLetters().peek()).isEmpty();
  }

  @Test
  @Rule({"S-176", "S-186"})
  void nothingExpiresInADeadLetterQueue() {
    QueueFixture queue = queue(true);
    queue.send(2);
    queue.deadLetter(queue.peekLock());
    shard.advance(ofHours(1));
    QueueFixture dead = queue.deadLetters();

    List<Received> messages = dead.peekLock(5);
    dead.abandon(messages.get(0));
    dead.release(messages.get(1));
    shard.advance(ofHours(1));

    assertThat(dead.peekLock(5)).hasSize(2);
    assertThat(shard.machine.nextTickMillis(shard.stamp())).isEqualTo(60_000);
  }

  @Test
  void tensOfThousandsExpireInSlicesThatCarryOn() {
    QueueFixture queue = queue(true);
    shard.checkEveryStep = false;
    for (int i = 0; i < 40; i++) {
      queue.send(1_000);
    }
    List<Received> held = queue.peekLock(2_000);
    shard.passes(ofSeconds(20));

    Decision slice = shard.machine.tick(shard.stamp(), FetchedBodies.NONE);
    shard.take(slice);

    assertThat(queue.counts().deadLetters()).isEqualTo(TickHandler.SLICE);
    shard.tickWhileDue();
    assertThat(queue.counts().deadLetters()).isEqualTo(38_000);
    assertThat(queue.counts().locked()).isEqualTo(held.size());
  }

  @Test
  void aLateExpiryIsNotTakenForTheFirst() {
    QueueFixture queue = queue(false);
    queue.send(1);
    shard.advance(ofSeconds(5));
    queue.send(1);
    queue.complete(queue.peekLock());

    assertThat(shard.machine.nextTickMillis(shard.stamp())).as("a bound").isEqualTo(15_000);
    shard.advance(ofSeconds(15));

    assertThat(queue.peek()).hasSize(1);
    assertThat(shard.machine.nextTickMillis(shard.stamp())).isEqualTo(5_000);
  }

  @Test
  void aQueueFullOfLockedMessagesIsLookedThroughPieceByPiece() {
    QueueFixture queue = queue(false);
    shard.checkEveryStep = false;
    int[] tiny = new int[Chunk.MAX_ROWS];
    Arrays.fill(tiny, 1);
    for (int i = 0; i < 70; i++) {
      queue.sendSized(tiny);
    }
    queue.peekLock(70 * Chunk.MAX_ROWS - 1);
    shard.passes(ofSeconds(20));

    shard.take(shard.machine.tick(shard.stamp(), FetchedBodies.NONE));
    assertThat(queue.counts().active()).isEqualTo(70 * Chunk.MAX_ROWS);
    shard.tickWhileDue();

    assertThat(queue.counts().active()).isEqualTo(70 * Chunk.MAX_ROWS - 1);
  }
}
