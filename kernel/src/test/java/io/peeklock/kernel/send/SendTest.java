package io.peeklock.kernel.send;

import static io.peeklock.kernel.entity.QueueDefinition.FOREVER;
import static io.peeklock.kernel.machine.QueueFixture.HEADER;
import static io.peeklock.kernel.machine.QueueFixture.Outcome.DONE;
import static io.peeklock.kernel.machine.QueueFixture.SIZE;
import static io.peeklock.kernel.machine.QueueFixture.numbers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.Definitions;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Outcome;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a send does, and when it is refused. */
class SendTest {

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  @Test
  @Rule({"S-001", "S-004", "I-01"})
  void anAcceptedMessageIsStoredWithoutAnyReceiver() {
    QueueFixture queue = QueueFixture.of(shard, Definitions.defaults());

    queue.send(1);
    shard.restart();

    assertThat(numbers(queue.peekLock(10))).containsExactly(1L);
  }

  @Test
  @Rule({"S-002", "S-005", "S-012"})
  void aBurstIsAnsweredOnceAndSilentlyWhenAllIsWell() {
    QueueFixture queue = QueueFixture.of(shard, Definitions.defaults());

    Decision decision = queue.send(new int[] {SIZE, SIZE, SIZE}, HEADER, FOREVER, false);

    var answer = ShardFixture.only(decision, Effect.SendAnswered.class);
    assertThat(answer.refusals()).isNull();
    assertThat(answer.index()).isEqualTo(shard.index);
    assertThat(decision.keptBodies()).isNull();
  }

  @Test
  @Rule({"S-018", "S-019", "S-002"})
  void aPreSettledTransferIsNeverAnswered() {
    QueueFixture queue = QueueFixture.of(shard, Definitions.maxSize(150));
    SendBurst burst =
        new SendBurst(2, new int[] {SIZE, SIZE}, new int[2], new long[] {FOREVER, FOREVER});

    Decision decision = shard.ask(new Request.Send(new Asker(), null, queue.id, burst, false));

    assertThat(decision.effects()).isEmpty();
    assertThat(decision.keptBodies()).containsExactly(true, false);
    assertThat(queue.counts().active()).isEqualTo(1);
  }

  @Test
  @Rule({"S-140", "S-141", "S-144", "S-406", "I-12", "I-13", "I-14"})
  void numbersCountUpFromOneInTheOrderOfTheBurstAndTimesFollow() {
    QueueFixture queue = QueueFixture.of(shard, Definitions.defaults());

    queue.send(2);
    shard.passes(Duration.ofMillis(7));
    queue.send(2);

    List<Received> messages = queue.peek();
    assertThat(numbers(messages)).containsExactly(1L, 2L, 3L, 4L);
    assertThat(messages).extracting(Received::bodyId).containsExactly(1L, 2L, 3L, 4L);
    long now = shard.nowMillis;
    assertThat(messages)
        .extracting(Received::enqueuedAt)
        .containsExactly(now - 7, now - 7, now, now);
  }

  @Test
  @Rule({"S-140", "I-12"})
  void aNumberIsNeverUsedAgainNotEvenAfterARestart() {
    QueueFixture queue = QueueFixture.of(shard, Definitions.defaults());
    queue.send(3);
    queue.receiveAndDelete(3);

    shard.restart();
    queue.send(1);

    assertThat(numbers(queue.peek())).containsExactly(4L);
  }

  @Test
  @Rule({"S-435", "S-510", "S-085", "I-08", "I-02"})
  void whatDoesNotFitIsRefusedAndTheRestIsStored() {
    QueueFixture queue = QueueFixture.of(shard, Definitions.maxSize(250));

    List<Outcome> outcomes = queue.sendSized(100, 200, 100, 100);

    Outcome full = new Outcome(new Refusal.QuotaExceeded(200, 250));
    assertThat(outcomes)
        .containsExactly(DONE, new Outcome(new Refusal.QuotaExceeded(100, 250)), DONE, full);
    assertThat(numbers(queue.peek())).containsExactly(1L, 2L);
  }

  @Test
  @Rule({"S-435", "I-08"})
  void roomComesBackWhenMessagesLeave() {
    QueueFixture queue = QueueFixture.of(shard, Definitions.maxSize(100));
    queue.send(1);
    assertThat(queue.sendSized(1)).doesNotContain(DONE);

    queue.complete(queue.peekLock());

    assertThat(queue.sendSized(100)).containsExactly(DONE);
  }

  @Test
  @Rule("S-187")
  void deadLettersFillTheQuotaToo() {
    QueueFixture queue = QueueFixture.of(shard, Definitions.maxSize(150));
    queue.send(1);

    queue.deadLetter(queue.peekLock());

    assertThat(queue.sendSized(51))
        .containsExactly(new Outcome(new Refusal.QuotaExceeded(100, 150)));
    assertThat(queue.sendSized(50)).containsExactly(DONE);
    assertThat(queue.counts().bytes()).isEqualTo(150);
    assertThat(queue.deadLetters().counts().bytes()).isEqualTo(100);
  }

  @Test
  @Rule({"S-405", "I-02"})
  void anAtomicBatchIsStoredWholeOrNotAtAll() {
    QueueFixture queue = QueueFixture.of(shard, Definitions.maxSize(250));

    Decision refused = queue.send(new int[] {100, 100, 100}, HEADER, FOREVER, true);
    Outcome fits = queue.sendAtomically(100, 150);

    assertThat(QueueFixture.whole(refused))
        .isEqualTo(new Outcome(new Refusal.QuotaExceeded(0, 250)));
    assertThat(refused.facts()).isEmpty();
    assertThat(refused.keptBodies()).containsExactly(false, false, false);
    assertThat(fits).isEqualTo(DONE);
    assertThat(numbers(queue.peek())).containsExactly(1L, 2L);
  }

  @Test
  @Rule({"S-019", "S-405"})
  void anAtomicBatchThatNobodyWaitsForIsDroppedInSilence() {
    QueueFixture queue = QueueFixture.of(shard, Definitions.maxSize(10));
    SendBurst burst = new SendBurst(1, new int[] {SIZE}, new int[1], new long[] {FOREVER});

    Decision decision = shard.ask(new Request.Send(new Asker(), null, queue.id, burst, true));

    assertThat(decision.effects()).isEmpty();
    assertThat(decision.facts()).isEmpty();
  }

  @Test
  @Rule({"S-062", "S-183"})
  void nothingIsSentToWhatIsNotThereOrToDeadLetters() {
    QueueFixture queue = QueueFixture.of(shard, Definitions.defaults());
    SendBurst burst = new SendBurst(1, new int[] {SIZE}, new int[1], new long[] {FOREVER});
    Outcome notFound = new Outcome(new Refusal.EntityNotFound());

    Decision unknown =
        shard.ask(new Request.Send(new Asker(), new Note(), new QueueId(77), burst, false));

    assertThat(QueueFixture.whole(unknown)).isEqualTo(notFound);
    assertThat(queue.deadLetters().sendSized(1)).containsExactly(notFound);
  }

  @Test
  @Rule({"S-162", "S-164", "S-166"})
  void theSmallerTimeToLiveRules() {
    QueueFixture queue =
        QueueFixture.of(shard, Definitions.timeToLive(Duration.ofMinutes(10), false));

    queue.sendLiving(Duration.ofMinutes(1));
    queue.sendLiving(Duration.ofMinutes(60));
    queue.send(1);

    long now = shard.nowMillis;
    assertThat(queue.peek())
        .extracting(Received::expiresAt)
        .containsExactly(now + 60_000, now + 600_000, now + 600_000);
  }

  @Test
  @Rule({"S-166", "S-162"})
  void withoutTimeToLiveOrWithOneBeyondAllTimeAMessageNeverExpires() {
    QueueFixture queue = QueueFixture.of(shard, Definitions.defaults());

    queue.send(1);
    queue.send(new int[] {SIZE}, HEADER, FOREVER - 1, false);

    assertThat(queue.peek()).extracting(Received::expiresAt).containsOnly(FOREVER);
    var enqueued = (Fact.Enqueued) shard.log.getLast().fact();
    assertThat(enqueued.expiresAtMillis()).isNull();
  }

  @Test
  void aBurstOfNothingOrWithShortColumnsIsNotMade() {
    assertThatThrownBy(() -> new SendBurst(0, new int[1], new int[1], new long[1]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new SendBurst(1, new int[0], new int[1], new long[1]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new SendBurst(1, new int[1], new int[0], new long[1]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new SendBurst(1, new int[1], new int[1], new long[0]))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
