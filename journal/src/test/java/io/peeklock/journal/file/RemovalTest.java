package io.peeklock.journal.file;

import static io.peeklock.journal.sim.SimDisk.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.checkpoint.CheckpointFile;
import io.peeklock.journal.segment.Segment;
import io.peeklock.journal.sim.Ledger;
import io.peeklock.journal.sim.SimDisk;
import io.peeklock.journal.sim.SimExecutors;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.BodyStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** When a segment goes: not before two checkpoints say what it said, and nobody needs it. */
class RemovalTest {
  private final SimExecutors executors = new SimExecutors();
  private final SimDisk disk = new SimDisk();
  private final Random chance = new Random(5);
  private final Ledger ledger = new Ledger(chance);
  private final JournalSettings with =
      settings().withSegmentBytes(5_000).withCheckpointBytes(20_000).withResidentBytes(0);

  private void start() throws IOException {
    ledger.on(
        FileJournal.open(with, executors.shardExecutor(), disk, executors, chance::nextLong),
        executors);
  }

  private long segments() {
    return disk.names().stream().filter(Segment::isName).count();
  }

  private long checkpoints() {
    return disk.names().stream().filter(CheckpointFile::isName).count();
  }

  private void fill() {
    for (var i = 0; i < 30; i++) {
      ledger.send(1_000);
      executors.settle();
    }
  }

  private void checkpoint() {
    var before = ledger.completed;
    while (ledger.completed == before) {
      ledger.checkpoint();
      executors.settle();
    }
    executors.settle();
  }

  @Test
  @Rule("I-01")
  void withOneCheckpointAllStayAndWithTwoTheDeadOnesGo() throws IOException {
    start();
    ledger.change();
    fill();
    ledger.completeAll();
    executors.settle();
    var full = segments();
    assertThat(full).isGreaterThan(5);

    checkpoint();
    assertThat(segments()).as("one checkpoint may turn out to be damaged").isEqualTo(full);
    assertThat(checkpoints()).isEqualTo(1);

    fill();
    checkpoint();
    assertThat(checkpoints()).isEqualTo(2);
    assertThat(segments()).as("those behind the older one").isLessThanOrEqualTo(full + 3);
    assertThat(disk.names()).doesNotContain(Segment.nameOf(1));

    ledger.journal().close();
    start(); // the ledger compares the state, remembered message ids and all
    ledger.readAll(executors);
  }

  /** Its ids were remembered by dead messages only, and were lost with their segments once. */
  @Test
  @Rule({"I-01", "S-266"})
  void aStartWithOneCheckpointOrNoneRemembersTheIdsOfDeadMessages() throws IOException {
    start();
    ledger.change();
    for (var round = 0; round < 2; round++) {
      fill();
      ledger.completeAll();
      executors.pass();
      ledger.journal().close();
      start();
      assertThat(ledger.restoredParts > 0).isEqualTo(round == 1);
      checkpoint();
    }
  }

  /** Nothing goes before there are two checkpoints, so this is what a young log takes. */
  @Test
  void aLogInWhichNothingLivesTakesTwoIntervalsAtMost() throws IOException {
    start();
    ledger.change();
    var most = 0L;
    for (var i = 0; i < 300; i++) {
      ledger.send(1_000);
      ledger.completeAll();
      executors.settle();
      ledger.checkpoint();
      executors.settle();
      most = Math.max(most, disk.bytesOf(".log"));
    }

    assertThat(ledger.completed).isGreaterThan(5);
    assertThat(most).isLessThan(2 * 20_000 + 3 * 5_000);
  }

  @Test
  @Rule("I-01")
  void aSegmentStaysWhileTheDeathOfItsBodiesIsNotDurable() throws IOException {
    start();
    ledger.change();
    fill();
    checkpoint();
    fill();
    ledger.change();
    checkpoint();
    var before = disk.names().stream().filter(Segment::isName).toList();
    assertThat(before).contains(Segment.nameOf(1));
    ledger.mayFail = true;
    disk.failFrom(disk.changes() + 2, "EIO");

    ledger.completeAll();
    executors.settle();

    assertThat(ledger.failures).hasSize(1);
    assertThat(disk.names()).containsAll(before);
  }

  @Test
  void aSegmentIsNotRemovedUnderAReader() throws IOException {
    start();
    ledger.change();
    fill();
    checkpoint();
    fill();
    checkpoint();
    var ids = ledger.live().subList(0, 1);
    var came = new ArrayList<Bodies>();
    assertThat(ledger.journal().fetch(new long[] {ids.get(0)}, new Reader(came))).isNull();

    ledger.completeAll();
    executors.settleWithoutReads();
    assertThat(disk.names()).contains(Segment.nameOf(1));

    executors.settle();
    ledger.check(Objects.requireNonNull(came.get(0)), ids);
    executors.pass();
    assertThat(disk.names()).doesNotContain(Segment.nameOf(1));
  }

  /** Keeps what came. */
  private record Reader(List<Bodies> came) implements BodyStorage.LoadListener {
    @Override
    public void loaded(Bodies bodies) {
      came.add(bodies);
    }

    @Override
    public void unreadable(long bodyId, IOException cause) {
      throw new AssertionError("body " + bodyId, cause);
    }
  }
}
