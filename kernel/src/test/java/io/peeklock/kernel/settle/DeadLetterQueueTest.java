package io.peeklock.kernel.settle;

import static io.peeklock.kernel.machine.QueueFixture.Outcome.DONE;
import static io.peeklock.kernel.machine.QueueFixture.Outcome.LOST;
import static io.peeklock.kernel.machine.QueueFixture.numbers;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.machine.Definitions;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Outcome;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.proof.Rule;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How a dead-letter queue is a queue, and where its rules differ. */
class DeadLetterQueueTest {

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private final QueueFixture queue = QueueFixture.of(shard, Definitions.maxDeliveryCount(2));
  private final QueueFixture dead = queue.deadLetters();

  @BeforeEach
  void threeDeadLetters() {
    queue.send(3);
    queue.settleAll(Settlement.DEAD_LETTER, queue.peekLock(3).toArray(Received[]::new));
  }

  @Test
  @Rule({"S-184", "S-117"})
  void deadLettersAreLockedCompletedDeletedPeekedAndDeferredAsInAnyQueue() {
    Received first = dead.peekLock();
    assertThat(dead.renew(first)).isEqualTo(DONE);
    assertThat(dead.complete(first)).isEqualTo(DONE);
    assertThat(numbers(dead.receiveAndDelete(1))).containsExactly(2L);
    assertThat(numbers(dead.peek())).containsExactly(3L);
    assertThat(dead.defer(dead.peekLock())).isEqualTo(DONE);
    assertThat(numbers(dead.receiveDeferred(3))).containsExactly(3L);
  }

  @Test
  @Rule("S-185")
  void aDeadLetterCannotBeDeadLetteredAgain() {
    Outcome refused = new Outcome(new Refusal.AlreadyDeadLettered());
    List<Received> messages = dead.peekLock(2);
    dead.complete(messages.get(1));

    assertThat(dead.settleAll(Settlement.DEAD_LETTER, messages.get(0), messages.get(1)))
        .containsExactly(refused, LOST);
    assertThat(dead.settleAtomically(Settlement.DEAD_LETTER, messages.get(0))).isEqualTo(refused);

    assertThat(dead.complete(messages.get(0))).as("its lock still stands").isEqualTo(DONE);
  }

  @Test
  @Rule({"S-186", "S-132", "I-20"})
  void noEndOfADeliveryCountsThere() {
    for (int i = 0; i < 5; i++) {
      Received message = dead.peekLock();
      assertThat(message.deliveryCount()).isZero();
      dead.abandon(message);
    }

    dead.defer(dead.peekLock());
    shard.restart();

    assertThat(dead.receiveDeferred(1)).extracting(Received::deliveryCount).containsExactly(0);
  }

  /** What was counted before it died stays. */
  @Test
  @Rule({"S-126", "S-132"})
  void theCountWithWhichItDiedStays() {
    queue.send(1);
    queue.abandon(queue.peekLock());
    queue.abandon(queue.peekLock());
    Received died = dead.peekLock(4).getLast();
    dead.abandon(died);

    assertThat(dead.peekLock().deliveryCount()).isEqualTo(died.deliveryCount()).isEqualTo(2);
  }

  @Test
  @Rule({"S-132", "S-033"})
  void aLockThatRunsOutThereCountsNothingAndWritesNothing() {
    dead.peekLock();
    int logged = shard.log.size();

    shard.advance(ofMinutes(1));

    assertThat(shard.log).hasSize(logged);
    Received again = dead.peekLock();
    assertThat(again.number()).isEqualTo(1);
    assertThat(again.deliveryCount()).isZero();
  }

  @Test
  @Rule({"S-204", "I-21", "I-05"})
  void aMessageIsNeverInBothQueuesAcrossARestart() {
    queue.send(1);
    queue.deadLetter(queue.peekLock());
    dead.complete(dead.peekLock());

    shard.restart();

    assertThat(numbers(queue.peek())).isEmpty();
    assertThat(numbers(dead.peek())).containsExactly(2L, 3L, 4L);
  }

  @Test
  @Rule({"S-145", "S-202"})
  void deadLettersComeInTheOrderOfTheirNumbersHoweverTheyDied() {
    queue.send(4);
    List<Received> messages = queue.peekLock(4);
    queue.deadLetter(messages.get(3));
    queue.deadLetter(messages.get(1));
    queue.deadLetter(messages.get(2));

    assertThat(numbers(dead.peekLock(9))).containsExactly(1L, 2L, 3L, 5L, 6L, 7L);
  }

  @Test
  @Rule("S-219")
  void deadLettersDoNotShowInTheirQueue() {
    assertThat(queue.peek()).isEmpty();
    assertThat(queue.peekLock(3)).isEmpty();
  }
}
