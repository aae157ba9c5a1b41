package io.peeklock.kernel.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.columns.StoredMemory;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Outcome;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.proof.Rule;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What counts as held by an entity, while the last of the memory is for those that hold little. */
class EntityShareTest {
  private static final long ROOM = 2 << 20;

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private StoredMemory stored() {
    return shard.machine.stored();
  }

  private QueueState state(QueueFixture of) {
    return shard.machine.state().known(of.id);
  }

  private QueueFixture queue(String name) {
    return QueueFixture.of(shard, QueueDefinition.named(name));
  }

  /** Else each of twenty could bring as much at once as there is for all of them. */
  @Test
  @Rule("I-46")
  void whatIsBroughtAtOnceCountsBeforeItIsThere() {
    QueueFixture greedy = queue("greedy");
    QueueFixture sessions =
        QueueFixture.of(shard, QueueDefinition.named("sessions").withSession(true));
    QueueFixture[] more = new QueueFixture[40];
    Arrays.setAll(more, i -> queue("more" + i));
    QueueFixture other = queue("other");
    shard.checkEveryStep = false; // there are tens of thousands
    stored().bound(stored().taken() + ROOM);
    FairShareTest.fill(greedy);

    String[] ids = new String[500];
    Arrays.setAll(ids, i -> "session" + i);
    sessions.tries(ids);
    assertThat(state(sessions).held.bytes()).isLessThan(ROOM / 8 / 3);
    for (QueueFixture each : more) {
      each.sendAtomically(new int[500]);
    }

    assertThat(stored().free()).isGreaterThan(ROOM / 64);
    assertThat(other.sendSized(new int[20])).containsOnly(Outcome.DONE);
  }

  /** Whoever has no messages left can do nothing about it. */
  @Test
  @Rule({"I-46", "S-266"})
  void idsThatAreRememberedDoNotKeepAnEmptyQueueFromTakingMessages() {
    QueueFixture once =
        QueueFixture.of(
            shard, QueueDefinition.named("once").with().duplicateWindowMillis(60_000).build());
    QueueFixture greedy = queue("greedy");
    shard.checkEveryStep = false;
    for (long id = 1; id <= 2_000; id++) {
      once.sendWithIds(id);
      once.receiveAndDelete(1);
    }
    greedy.send(10_000);
    stored().beside(8 * ROOM);
    stored().bound(stored().all() + ROOM / 2);
    FairShareTest.shareOf(greedy.sendAtomically(1).refusal());

    once.sendWithIds(9_999);

    assertThat(once.counts().active()).isEqualTo(1);
    assertThat(FairShare.refusal(shard.machine.state(), state(once), FairShare.OF_THE_REST))
        .as("what is forwarded to it goes on")
        .isNull();
  }
}
