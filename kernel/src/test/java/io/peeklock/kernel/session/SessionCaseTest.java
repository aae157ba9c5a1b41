package io.peeklock.kernel.session;

import static io.peeklock.kernel.machine.QueueFixture.numbers;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.SessionIds;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.Definitions;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Consumer;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.PartitionKeys;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.snapshot.Snapshot;
import io.peeklock.proof.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Ids of sessions that differ in case only are those of one session. */
class SessionCaseTest {

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private QueueFixture queue() {
    return QueueFixture.of(shard, Definitions.lockDuration(ofSeconds(30)).withSession(true));
  }

  @Test
  @Rule({"S-523", "S-246", "S-237"})
  void itsMessagesAreInOneOrderAndHaveOneHolder() {
    QueueFixture queue = queue();
    queue.sendTo("Straße-É", "other", "straße-é", "STRAßE-É");

    Consumer consumer = queue.accepts("sTRAßE-É", ZERO).wants(9);

    assertThat(consumer.sessionId()).as("as it was asked for").isEqualTo("sTRAßE-É");
    assertThat(numbers(consumer.gets())).containsExactly(1L, 3L, 4L);
    assertThat(queue.accepts("straße-é", ZERO).refusal())
        .isEqualTo(new Refusal.SessionCannotBeLocked("straße-é"));
    assertThat(queue.accepts(null, ZERO).sessionId()).isEqualTo("other");
  }

  @Test
  @Rule({"S-523", "S-254", "S-259"})
  void itHasOneStateAndIsListedOnceAsItsFirstMessageIsSpelled() {
    QueueFixture queue = queue();
    Consumer early = queue.accepts("ONE", ZERO);
    queue.sendTo("One", "one");

    shard.ask(SessionStateTest.setting(queue, early.asker, "onE", 5));

    var read =
        shard.ask(
            new Request.GetSessionState(new Asker(), new Note(), queue.id, "oNE", early.asker));
    assertThat(ShardFixture.only(read, Effect.SessionStateRead.class).bodyId()).isNotZero();
    assertThat(listed(queue)).containsExactly("One");
    long hash = shard.machine.stateHash();
    shard.restart();
    assertThat(shard.machine.stateHash()).isEqualTo(hash);
    assertThat(listed(queue)).containsExactly("One");
    assertThat(queue.accepts("one", ZERO).wants(9).gets()).hasSize(2);
  }

  @Test
  @Rule({"S-523", "I-42"})
  void aSnapshotSpellsItAsTheLogDoes() {
    QueueFixture queue = queue();
    queue.sendTo("A", "a");
    queue.complete(queue.accepts("a", ZERO).wants(1).gets().getFirst());
    Consumer alone = queue.accepts("Held", ZERO);
    shard.ask(SessionStateTest.setting(queue, alone.asker, "HELD", 5));
    Machine rebuilt = new Machine();

    Snapshot snapshot = shard.machine.beginSnapshot();
    for (List<Fact> part = snapshot.next(); !part.isEmpty(); part = snapshot.next()) {
      part.forEach(fact -> rebuilt.apply(0, fact));
    }
    snapshot.end();

    assertThat(rebuilt.stateHash()).isEqualTo(shard.machine.stateHash());
    assertThat(listed(queue)).containsExactlyInAnyOrder("A", "Held");
  }

  @Test
  @Rule({"S-523", "S-254"})
  void ofTwoStatesThatAnEarlierVersionKeptApartTheLastIsKept() {
    QueueFixture queue = queue();
    for (long[] times : new long[][] {{7, 9}, {9, 7}, {7, 7}}) {
      Machine opened = shard.replayed();
      String[] ids = {"a", "A"};

      opened.apply(
          0,
          new Fact.SessionStatesRestored(
              queue.id, ids, new long[] {901, 902}, new int[] {3, 4}, times));

      long kept = times[0] > times[1] ? 901 : 902;
      Machine alone = shard.replayed();
      alone.apply(
          0,
          new Fact.SessionStatesRestored(
              queue.id,
              new String[] {"a"},
              new long[] {kept},
              new int[] {kept == 901 ? 3 : 4},
              new long[] {Math.max(times[0], times[1])}));
      assertThat(opened.stateHash()).isEqualTo(alone.stateHash());
      assertThat(opened.takeDeadBodies()).containsExactly(kept == 901 ? 902 : 901);
    }
  }

  @Test
  @Rule({"S-523", "S-373"})
  void itIsOnePartition() {
    String[] ids = {"a", "A"};
    String[] none = {null, null};

    assertThat(new PartitionKeys(ids, none).differ(2)).isFalse();
    assertThat(new PartitionKeys(none, ids).differ(2)).as("keys are told apart").isTrue();
  }

  @Test
  @Rule("S-523")
  void anIdInOneCaseIsItsOwnFoldedForm() {
    for (String id : List.of("", "a-1", "é", "ß", "\uD801\uDC28")) {
      assertThat(SessionIds.folded(id)).isSameAs(id);
    }
    assertThat(SessionIds.folded("aBcÉ")).isEqualTo("abcé");
    assertThat(SessionIds.charactersHeld("aB", "ab")).isEqualTo(4);
    assertThat(SessionIds.charactersHeld("ab", "ab")).isEqualTo(2);
  }

  private List<String> listed(QueueFixture queue) {
    var list = new Request.ListSessions(new Asker(), new Note(), queue.id, Long.MAX_VALUE, 0, 9, 0);
    return ShardFixture.only(shard.ask(list), Effect.SessionsListed.class).sessionIds();
  }
}
