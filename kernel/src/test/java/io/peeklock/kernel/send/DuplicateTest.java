package io.peeklock.kernel.send;

import static io.peeklock.kernel.machine.QueueFixture.numbers;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.columns.DuplicateDetectionHistory;
import io.peeklock.kernel.columns.HeldMemory;
import io.peeklock.kernel.columns.StoredMemory;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.Definitions;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.snapshot.Snapshot;
import io.peeklock.proof.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A message whose id was seen within the window is dropped, and accepted nevertheless. */
class DuplicateTest {

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private QueueFixture queue() {
    return QueueFixture.of(shard, Definitions.defaults().withDuplicateWindow(20_000));
  }

  private static Effect.SendAnswered answer(Decision decision) {
    return ShardFixture.only(decision, Effect.SendAnswered.class);
  }

  @Test
  @Rule({"S-266", "S-276", "I-33"})
  void aDuplicateIsAcceptedAndDropped() {
    QueueFixture queue = queue();
    queue.sendWithIds(7);

    Decision again = queue.sendWithIds(7);

    assertThat(answer(again).refusals()).isNull();
    assertThat(answer(again).sequenceNumbers()).containsExactly(0);
    assertThat(again.keptBodies()).containsExactly(false);
    assertThat(again.facts()).isEmpty();
    assertThat(numbers(queue.peek())).containsExactly(1L);
  }

  @Test
  @Rule({"S-278", "S-281"})
  void inOneBurstOnlyTheFirstIsStoredAndThoseWithoutIdAllAre() {
    QueueFixture queue = queue();

    Decision decision = queue.sendWithIds(1, 2, 1, 0, 0, 2, 3);

    assertThat(decision.keptBodies()).containsExactly(true, true, false, true, true, false, true);
    assertThat(answer(decision).sequenceNumbers()).containsExactly(1, 2, 0, 3, 4, 0, 5);
    assertThat(queue.counts().active()).isEqualTo(5);
  }

  @Test
  @Rule({"S-266", "S-278"})
  void largeBurstsAreJudgedAsSmallOnes() {
    QueueFixture queue = queue();
    long[] ids = LongStream.rangeClosed(1, 200).toArray();
    queue.sendWithIds(ids);
    ids[199] = 777;
    ids[198] = 0;

    Decision again = queue.sendWithIds(ids);

    assertThat(answer(again).refusals()).isNull();
    assertThat(numbers(queue.peek())).hasSize(202);
    assertThat(answer(again).sequenceNumbers()).endsWith(0, 201, 202).startsWith(0, 0, 0);
  }

  @Test
  @Rule({"I-01", "S-278", "S-435"})
  void aRefusedMessageHasNoDuplicatesInItsBurst() {
    QueueFixture queue =
        QueueFixture.of(
            shard,
            Definitions.maxSize(2L * QueueFixture.SIZE)
                .with()
                .duplicateWindowMillis(20_000)
                .build());

    Decision decision = queue.sendWithIds(1, 2, 7, 7, 1, 7);

    Refusal full = new Refusal.QuotaExceeded(200, 200);
    assertThat(answer(decision).refusals()).containsExactly(null, null, full, full, null, full);
    assertThat(answer(decision).sequenceNumbers()).containsExactly(1, 2, 0, 0, 0, 0);
    assertThat(queue.sendWithIds(7).keptBodies()).as("it was not stored").containsExactly(false);
    queue.complete(queue.peekLock());
    assertThat(answer(queue.sendWithIds(7)).sequenceNumbers()).containsExactly(3);
  }

  @Test
  @Rule({"S-266", "S-268", "I-33"})
  void afterTheWindowTheIdMayComeAgain() {
    QueueFixture queue = queue();
    queue.sendWithIds(7);

    shard.advance(ofMillis(19_999));
    assertThat(queue.sendWithIds(7).facts()).isEmpty();
    shard.advance(ofMillis(1));

    assertThat(queue.sendWithIds(7).facts()).hasSize(1);
    assertThat(queue.sendWithIds(7).facts()).isEmpty();
  }

  @Test
  @Rule("S-273")
  void itDoesNotMatterWhatBecameOfTheFirst() {
    QueueFixture queue = queue();
    queue.sendWithIds(1, 2, 3);
    queue.complete(queue.peekLock());
    queue.deadLetter(queue.peekLock());
    queue.defer(queue.peekLock());

    assertThat(queue.sendWithIds(1, 2, 3).facts()).isEmpty();
  }

  @Test
  @Rule({"S-274", "S-275"})
  void scheduledMessagesCountAndCancelledOnesToo() {
    QueueFixture queue = queue();
    long later = shard.stamp().nowMillis() + 5_000;
    queue.sendWithIds(new long[] {later}, 1);
    queue.sendWithIds(2);

    assertThat(queue.sendWithIds(1).facts()).isEmpty();
    assertThat(queue.sendWithIds(new long[] {later}, 2).facts()).isEmpty();
    queue.cancel(1);
    assertThat(queue.sendWithIds(1).facts()).isEmpty();
  }

  @Test
  void aQueueWithoutDetectionStoresAll() {
    QueueFixture queue = QueueFixture.of(shard, Definitions.defaults());

    Decision decision = queue.sendWithIds(1, 1);

    assertThat(decision.keptBodies()).isNull();
    assertThat(((Fact.Enqueued) decision.facts().getFirst()).messageIdHashes()).isNull();
  }

  @Test
  @Rule({"S-266", "I-33"})
  void manyIdsAreRememberedInALittleMemory() {
    DuplicateDetectionHistory ids =
        new DuplicateDetectionHistory(20_000, new HeldMemory(new StoredMemory()), 1);
    for (long i = 1; i <= 1_000_000; i++) {
      ids.add(high(i), i, i / 100);
    }
    for (long i = 1; i <= 1_000_000; i++) {
      assertThat(ids.has(high(i), i, 10_000)).isTrue();
      assertThat(ids.has(high(i), -i, 10_000)).isFalse();
    }
    assertThat(ids.slots() * 20L).as("bytes for a million ids").isLessThan(32_000_000);

    for (long i = 2_000_000; i < 3_000_000; i++) {
      ids.add(high(i), i, 40_000);
    }
    assertThat(ids.slots() * 20L).as("the first million is forgotten").isLessThan(45_000_000);
  }

  @Test
  @Rule("I-46")
  void noBatchMakesManyTablesAnew() {
    DuplicateDetectionHistory ids =
        new DuplicateDetectionHistory(20_000, new HeldMemory(new StoredMemory()), 1);
    long most = 0;
    for (long batch = 0; batch < 200; batch++) {
      long before = ids.slots();
      for (long i = 1; i <= 4_500; i++) {
        ids.add(high(batch * 4_500 + i), i, 10_000);
      }
      if (batch > 50) { // while there are few, tables are small
        most = Math.max(most, (ids.slots() - before) * 1_000 / before);
      }
    }

    assertThat(most).as("thousandths of all tables").isLessThan(60);
  }

  @Test
  @Rule("I-46")
  void whoDoesNotKnowTheKeyFillsNoTableWithIds() {
    DuplicateDetectionHistory ids =
        new DuplicateDetectionHistory(
            20_000, new HeldMemory(new StoredMemory()), 0x5DEE_CE66_D1CE_4E5BL);
    long most = 0;
    long chosen = 0;
    for (long i = 1; chosen < 20_000; i++) {
      if ((high(i) * 0x9E37_79B9_7F4A_7C15L) >>> 54 == 0) { // one table without a key
        long before = ids.slots();
        ids.add(high(i), high(-i), 10_000);
        most = Math.max(most, ids.slots() - before);
        chosen++;
      }
    }

    assertThat(most).as("places of one table more").isLessThan(1_000);
  }

  private static long high(long i) {
    long mixed = i * 0xBF58_476D_1CE4_E5B9L;
    return mixed ^ (mixed >>> 29);
  }

  @Test
  @Rule({"I-33", "I-42"})
  void aSnapshotHasTheIdsThatCameBeforeItAndNoLaterOnes() {
    QueueFixture queue = queue();
    queue.sendWithIds(1, 2);
    shard.advance(ofSeconds(1));
    queue.sendWithIds(3, 4);
    long hash = shard.machine.stateHash();
    List<Fact> written = new ArrayList<>();

    Snapshot snapshot = shard.machine.beginSnapshot();
    queue.sendWithIds(5); // may never be durable
    shard.advance(ofSeconds(1));
    queue.sendWithIds(6);
    for (List<Fact> part = snapshot.next(); !part.isEmpty(); part = snapshot.next()) {
      written.addAll(part);
    }
    snapshot.end();

    Machine rebuilt = new Machine();
    written.forEach(fact -> rebuilt.apply(0, fact));
    assertThat(rebuilt.stateHash()).isEqualTo(hash);
    DuplicateDetectionHistory ids =
        Objects.requireNonNull(rebuilt.state().known(queue.id).rememberedIds());
    for (long id = 1; id <= 6; id++) {
      assertThat(ids.has(id * 0x9E37_79B9_7F4A_7C15L, id, shard.stamp().nowMillis()))
          .isEqualTo(id <= 4);
    }
  }

  @Test
  @Rule("S-268")
  void aWindowOutOfRangeIsRefused() {
    QueueDefinition plain = Definitions.defaults();
    for (long bad : new long[] {1, 19_999, 7 * 24 * 3_600_000L + 1}) {
      assertThatThrownBy(() -> plain.withDuplicateWindow(bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("20 seconds to 7 days");
    }
  }
}
