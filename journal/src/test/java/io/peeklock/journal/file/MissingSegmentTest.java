package io.peeklock.journal.file;

import static io.peeklock.journal.sim.SimDisk.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.checkpoint.CheckpointFile;
import io.peeklock.journal.checkpoint.CheckpointReader;
import io.peeklock.journal.checkpoint.SegmentTable;
import io.peeklock.journal.segment.Segment;
import io.peeklock.journal.sim.Ledger;
import io.peeklock.journal.sim.SimDisk;
import io.peeklock.journal.sim.SimExecutors;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A segment that a checkpoint covers goes when nothing in it lives; before that it is missed. */
class MissingSegmentTest {
  private final SimExecutors executors = new SimExecutors();
  private final SimDisk disk = new SimDisk();
  private final Random chance = new Random(5);
  private final Ledger ledger = new Ledger(chance);
  private final JournalSettings with =
      settings().withSegmentBytes(5_000).withCheckpointBytes(20_000).withResidentBytes(0);

  private void start(SimDisk on) throws IOException {
    ledger.on(
        FileJournal.open(with, executors.shardExecutor(), on, executors, chance::nextLong),
        executors);
  }

  private List<String> segments() {
    return disk.names().stream().filter(Segment::isName).toList();
  }

  /** Four messages in each segment, and two checkpoints that cover most of them. */
  @BeforeEach
  void write() throws IOException {
    start(disk);
    ledger.change();
    for (var round = 0; round < 2; round++) {
      for (var i = 0; i < 30; i++) {
        ledger.send(1_000);
        executors.settle();
      }
      checkpoint();
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

  private SimDisk without(String... names) throws IOException {
    var less = disk.copy();
    for (var name : names) {
      less.delete(name);
    }
    less.syncFolder("");
    return less;
  }

  @Test
  @Rule("I-11")
  void eachThatHoldsMessagesIsDamageWhenItIsGoneAndNothingIsChanged() throws IOException {
    ledger.journal().close();
    var all = segments();
    assertThat(all).hasSizeGreaterThan(10);

    for (var name : all.subList(0, all.size() - 1)) {
      var less = without(name);
      var last = all.getLast();
      var torn = Arrays.copyOf(less.content(last), less.content(last).length + 40);
      less.put(last, torn);
      var names = less.names();

      assertThatThrownBy(() -> start(less))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("missing")
          .hasMessageContaining("./peeklock store repair");

      assertThat(less.names()).isEqualTo(names);
      assertThat(less.content(last)).as("its torn end stays too").isEqualTo(torn);
    }
    assertThatThrownBy(() -> start(without(all.get(3))))
        .hasMessageContaining(all.get(3) + " is missing, and the checkpoint of batch ")
        .hasMessageContaining(" says that 5 bodies of messages lie in it. Nothing was changed");
    assertThatThrownBy(() -> start(without(all.get(1), all.get(2), all.get(4))))
        .hasMessageContaining(all.get(1) + " is missing")
        .hasMessageContaining("2 more segments with messages are missing");
    start(disk);
  }

  /** What follows the checkpoint says that they died. */
  @Test
  @Rule({"I-01", "I-11"})
  void thoseInWhichNothingLivesAnyMoreMayBeGone() throws IOException {
    var before = segments();
    ledger.completeOldest(40);
    executors.pass();
    ledger.journal().close();
    var gone = new ArrayList<>(before);
    gone.removeAll(segments());
    assertThat(gone).as("removed by the journal itself").isNotEmpty();
    assertThat(named()).as("and named by the newest checkpoint").containsAll(gone);

    start(disk);

    assertThat(ledger.restoredParts).isPositive();
    assertThat(ledger.journal().use().bytes()).isEqualTo(disk.bytesOf(".log"));
    for (var i = 0; i < 3; i++) {
      ledger.send(1_000, 1_000, 1_000, 1_000, 1_000);
      executors.settle();
      ledger.completeOldest(5);
      executors.settle();
    }
    ledger.readAll(executors);
  }

  /** The files that the newest checkpoint names. */
  private List<String> named() throws IOException {
    var name = disk.names().stream().filter(CheckpointFile::isName).toList().getLast();
    var files = new ArrayList<String>();
    try (var reader = new CheckpointReader(disk.open(name), name, CheckpointFile.indexIn(name))) {
      assertThat(reader.damage()).isNull();
      reader.read(
          new CheckpointReader.Content() {
            @Override
            public void segments(long[] numbers) {
              var table = new SegmentTable(numbers);
              for (var i = 0; i < table.size(); i++) {
                files.add(Segment.nameOf(table.firstIndex(i)));
              }
            }

            @Override
            public void cold(long[] table) {}

            @Override
            public void part(
                List<Fact> facts, long[] places, List<CheckpointReader.Large> larges) {}
          });
    }
    return files;
  }
}
