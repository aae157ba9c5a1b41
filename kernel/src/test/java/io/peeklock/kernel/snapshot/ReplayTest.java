package io.peeklock.kernel.snapshot;

import static io.peeklock.kernel.machine.QueueFixture.numbers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueEntry;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.Definitions;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.proof.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a log gives when it is read again. */
class ReplayTest {

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private final QueueFixture queue = QueueFixture.of(shard, Definitions.maxDeliveryCount(9));

  private static final QueueId ID = new QueueId(1);
  private static final QueueId DEAD = new QueueId(2);

  @Test
  @Rule({"I-01", "I-05", "I-06", "S-116"})
  void aReplayGivesTheSameDurableStateWithoutLocks() {
    queue.send(5);
    List<Received> messages = queue.peekLock(5);
    queue.complete(messages.get(0));
    queue.settleChanging(Settlement.ABANDON, messages.get(1), 30);
    queue.defer(messages.get(2));
    queue.deadLetter(messages.get(3));
    long hash = shard.machine.stateHash();

    shard.restart();

    assertThat(shard.machine.stateHash()).isEqualTo(hash);
    assertThat(queue.counts().locked()).isZero();
    assertThat(numbers(queue.peekLock(9))).containsExactly(2L, 5L);
    assertThat(shard.machine.nextTickMillis(shard.stamp())).isEqualTo(60_000);
  }

  @Test
  void theHashTellsStatesApart() {
    queue.send(1);
    long one = shard.machine.stateHash();
    Received message = queue.peekLock();
    assertThat(shard.machine.stateHash()).as("locks are not in it").isEqualTo(one);

    queue.abandon(message);
    long counted = shard.machine.stateHash();
    queue.defer(queue.peekLock());
    long deferred = shard.machine.stateHash();
    QueueFixture.of(shard, QueueDefinition.named("other"));

    assertThat(List.of(one, counted, deferred, shard.machine.stateHash())).doesNotHaveDuplicates();
  }

  @Test
  void theHashDoesNotDependOnHowTheStateWasReached() {
    queue.send(600);
    Machine other = shard.replayed();
    for (long number = 1; number <= 599; number++) {
      other.apply(9, new Fact.Completed(ID, new long[] {number}));
    }
    long[] backwards = new long[599];
    for (int i = 0; i < 599; i++) {
      backwards[i] = 599L - i;
    }
    Machine another = shard.replayed();
    another.apply(9, new Fact.Completed(ID, backwards));

    assertThat(another.stateHash()).isEqualTo(other.stateHash());
  }

  @Test
  void whatACheckpointBeginsWithComesToAnEmptyStateOnly() {
    queue.send(1);

    assertBroken(new Fact.NamespaceDescribed(3, 2));
    assertBroken(
        new EntityFact.QueueRestored(
            new QueueEntry(ID, DEAD, Definitions.maxDeliveryCount(9), 0, 0), 2, false));
  }

  @Test
  void factsThatCannotBeAreBrokenInvariants() {
    queue.send(1);
    int[] sizes = {1};

    assertBroken(new Fact.Completed(ID, new long[] {2}));
    assertBroken(new Fact.Completed(new QueueId(7), new long[] {1}));
    assertBroken(new Fact.Enqueued(ID, 1, 2, 0, sizes, sizes, null));
    assertBroken(new Fact.Enqueued(ID, 2, 1, 0, sizes, sizes, null));
    assertBroken(new Fact.Abandoned(ID, new long[] {1}, new Fact.StoredOverlay(1, 1)));
    QueueDefinition other = QueueDefinition.named("other");
    assertBroken(new Fact.QueueCreated(new QueueId(4), new QueueId(5), other, 0));
    assertBroken(new Fact.QueueCreated(new QueueId(3), new QueueId(5), other, 0));
    assertBroken(
        new Fact.QueueCreated(new QueueId(3), new QueueId(4), Definitions.maxDeliveryCount(1), 0));
    assertBroken(
        new EntityFact.QueueRestored(new QueueEntry(new QueueId(8), ID, other, 0, 0), 1, false));
  }

  private void assertBroken(Fact fact) {
    Machine machine = shard.replayed();
    assertThatThrownBy(() -> machine.apply(99, fact))
        .isInstanceOf(Invariant.BrokenInvariant.class)
        .hasMessageStartingWith("broken invariant");
  }

  @Test
  @Rule({"S-127", "S-191", "I-21"})
  void causesOfDeadLettersOutliveARestart() {
    for (DeadLetterCause cause : DeadLetterCause.values()) {
      queue.send(1);
      shard.take(
          Decision.of(
              List.of(
                  new Fact.DeadLettered(
                      ID, DEAD, new long[] {queue.counts().deadLetters() + 1}, cause, true, null)),
              List.of(),
              List.of(),
              null));
    }

    shard.restart();

    assertThat(queue.deadLetters().peek())
        .extracting(Received::cause)
        .containsExactly(DeadLetterCause.values());
    assertThat(queue.deadLetters().peek()).extracting(Received::deliveryCount).containsOnly(1);
  }
}
