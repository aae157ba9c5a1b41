package io.peeklock.kernel.session;

import static io.peeklock.kernel.machine.QueueFixture.numbers;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.decide.FetchedBodies;
import io.peeklock.kernel.entity.EntityStatus;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.machine.Definitions;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Consumer;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.proof.Rule;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sessions that are lost or given back while very many of their messages are locked. */
class SessionEndingTest {

  private static final int MESSAGES = 2 * SessionEnding.SLICE + 500;

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private QueueFixture queue() {
    shard.checkEveryStep = false;
    return QueueFixture.of(shard, Definitions.lockDuration(ofSeconds(30)).withSession(true));
  }

  /** One who holds a session with so many locked messages. */
  private Consumer holding(QueueFixture queue, String id, int messages) {
    String[] ids = new String[messages];
    Arrays.fill(ids, id);
    queue.sendTo(ids);
    Consumer holder = queue.accepts(id, ZERO).wants(messages);
    assertThat(holder.gets()).hasSize(messages);
    return holder;
  }

  private void tick() {
    take(shard.machine.tick(shard.stamp(), FetchedBodies.NONE));
  }

  private void take(Decision decision) {
    assertThat(freed(decision)).isLessThanOrEqualTo(SessionEnding.SLICE);
    shard.take(decision);
    shard.checker.check(shard.machine);
    shard.dispatchWhileWanted();
  }

  private static int freed(Decision decision) {
    return decision.grants().stream()
        .filter(Grant.Unlocked.class::isInstance)
        .mapToInt(grant -> ((Grant.Unlocked) grant).lockIds().length)
        .sum();
  }

  private static void getsAllInOrder(Consumer next, int count, int deliveryCount) {
    List<Received> messages = next.wants(count).gets();
    assertThat(numbers(messages))
        .containsExactlyElementsOf(LongStream.rangeClosed(1, count)::iterator);
    assertThat(messages).extracting(Received::deliveryCount).containsOnly(deliveryCount);
  }

  @Test
  @Rule({"S-128", "S-247", "I-26"})
  void aLostSessionIsFreedInSlicesAndIsNobodysBeforeTheLast() {
    QueueFixture queue = queue();
    Consumer holder = holding(queue, "a", MESSAGES);
    shard.passes(ofSeconds(31));

    tick();

    assertThat(holder.lostItsSession()).isTrue();
    assertThat(queue.accepts("a", ZERO).refusal())
        .isEqualTo(new Refusal.SessionCannotBeLocked("a"));
    Consumer any = queue.accepts(null, ofSeconds(60));
    assertThat(any.session()).isNull();
    assertThat(shard.machine.nextTickMillis(shard.stamp())).isZero();
    tick();
    assertThat(any.session()).isNull();
    tick();
    assertThat(any.sessionId()).isEqualTo("a");
    assertThat(shard.machine.nextTickMillis(shard.stamp())).isPositive();
    getsAllInOrder(any, MESSAGES, 1);
  }

  @Test
  @Rule("S-248")
  void aSessionThatIsGivenBackIsFreedInSlicesWithoutACount() {
    QueueFixture queue = queue();
    Consumer holder = holding(queue, "a", MESSAGES);

    holder.closes();

    assertThat(queue.counts().locked()).isEqualTo(MESSAGES - SessionEnding.SLICE);
    shard.tickWhileDue();
    assertThat(queue.counts().locked()).isZero();
    getsAllInOrder(queue.accepts("a", ZERO), MESSAGES, 0);
  }

  @Test
  @Rule({"S-427", "S-248"})
  void manyWhoAreSentAwayFreeNoMoreThanASliceAtOnce() {
    QueueFixture queue = queue();
    for (int i = 0; i < 10; i++) {
      holding(queue, "s" + i, SessionEnding.SLICE / 4);
    }
    var disabled = Definitions.lockDuration(ofSeconds(30)).withSession(true).with();

    take(
        shard.decide(
            new EntityRequest.UpdateQueue(
                new Asker(), new Note(), disabled.status(EntityStatus.RECEIVE_DISABLED).build())));

    assertThat(queue.counts().locked())
        .isEqualTo(10 * (SessionEnding.SLICE / 4) - SessionEnding.SLICE);
    while (shard.machine.nextTickMillis(shard.stamp()) == 0) {
      tick();
    }
    assertThat(queue.counts().locked()).isZero();
  }

  @Test
  @Rule({"S-071", "S-248"})
  void anEntityThatIsDeletedMeanwhileIsEmptied() {
    QueueFixture queue = queue();
    holding(queue, "a", MESSAGES).closes();

    shard.ask(
        new EntityRequest.DeleteQueue(
            new Asker(), new Note(), Definitions.lockDuration(ofSeconds(30)).path()));
    shard.tickWhileDue();

    assertThat(shard.machine.state().deleted()).isEmpty();
    assertThat(shard.machine.state().locks.room()).isEqualTo(1 << 24);
  }
}
