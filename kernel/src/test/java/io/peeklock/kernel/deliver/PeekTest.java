package io.peeklock.kernel.deliver;

import static io.peeklock.kernel.machine.QueueFixture.SIZE;
import static io.peeklock.kernel.machine.QueueFixture.numbers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.MessageState;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.machine.Definitions;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Outcome;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Request;
import io.peeklock.proof.Rule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Reading without touching. */
class PeekTest {

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private final QueueFixture queue = QueueFixture.of(shard, Definitions.defaults());

  @Test
  @Rule({"S-218", "S-219", "S-225", "S-226", "S-215"})
  void activeLockedAndDeferredMessagesShowAndNothingChanges() {
    queue.send(3);
    queue.defer(queue.peekLock());
    queue.peekLock();
    int logged = shard.log.size();
    int granted = shard.grants.size();

    var messages = queue.peek();

    assertThat(messages)
        .extracting(Received::state)
        .containsExactly(MessageState.DEFERRED, MessageState.ACTIVE, MessageState.ACTIVE);
    assertThat(messages)
        .extracting(Received::lockId, Received::lockedUntil)
        .containsOnly(tuple(0L, 0L));
    assertThat(shard.log).hasSize(logged);
    assertThat(shard.grants).hasSize(granted);
  }

  @Test
  @Rule({"S-221", "S-222"})
  void itStartsAtTheNumberOrTheNextHigherOne() {
    queue.send(6);
    queue.receiveAndDelete(3);

    assertThat(numbers(queue.peek(2, 2, Long.MAX_VALUE))).containsExactly(4L, 5L);
    assertThat(numbers(queue.peek(6, 2, Long.MAX_VALUE))).containsExactly(6L);
    assertThat(queue.peek(7, 2, Long.MAX_VALUE)).isEmpty();
    assertThat(queue.peek(Long.MAX_VALUE, 2, Long.MAX_VALUE)).isEmpty();
    assertThat(numbers(queue.peek(Long.MIN_VALUE, 1, Long.MAX_VALUE))).containsExactly(4L);
  }

  @Test
  @Rule({"S-223", "S-224"})
  void atMostSoManyAndSoManyBytesComeButOneAlways() {
    queue.send(600);

    assertThat(queue.peek(0, 7, Long.MAX_VALUE)).hasSize(7);
    assertThat(queue.peek(0, 7, 3 * SIZE)).hasSize(3);
    assertThat(queue.peek(0, 7, 3 * SIZE + 1)).hasSize(3);
    assertThat(queue.peek(0, 7, 0)).hasSize(1);
    assertThat(queue.peek(0, 0, Long.MAX_VALUE)).isEmpty();
    assertThat(queue.peek(0, -1, Long.MAX_VALUE)).isEmpty();
    assertThat(queue.peek(0, Integer.MAX_VALUE, Long.MAX_VALUE)).hasSize(PeekHandler.MAX_MESSAGES);
  }

  @Test
  @Rule("S-224")
  void anEmptyQueueShowsNothing() {
    Decision decision =
        shard.ask(new Request.Peek(new Asker(), new Note(), queue.id, 0, 10, 1_000));

    var peeked = ShardFixture.only(decision, Effect.Peeked.class);
    assertThat(peeked.messages().count()).isZero();
    assertThat(peeked.index()).isEqualTo(shard.index);
  }

  @Test
  @Rule("S-062")
  void aQueueThatIsNotThereIsNotFound() {
    Decision decision =
        shard.ask(new Request.Peek(new Asker(), new Note(), new QueueId(9), 0, 10, 1_000));

    assertThat(QueueFixture.whole(decision)).isEqualTo(new Outcome(new Refusal.EntityNotFound()));
  }
}
