package io.peeklock.journal.file;

import static io.peeklock.journal.sim.SimDisk.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.checkpoint.CheckpointFile;
import io.peeklock.journal.segment.Segment;
import io.peeklock.journal.sim.Ledger;
import io.peeklock.journal.sim.SimDisk;
import io.peeklock.journal.sim.SimExecutors;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A checkpoint shortens the way back and changes nothing else, whenever the power goes. */
class CheckpointTest {
  private static final int LIVES = 8;

  private final SimExecutors executors = new SimExecutors();
  private final Random chance = new Random(5);

  private static JournalSettings small() {
    return settings().withSegmentBytes(8_000).withCheckpointBytes(20_000);
  }

  private static List<String> checkpoints(SimDisk disk) {
    return disk.names().stream().filter(CheckpointFile::isName).toList();
  }

  private static long segments(SimDisk disk) {
    return disk.names().stream().filter(Segment::isName).count();
  }

  static LongStream seeds() {
    return LongStream.range(0, Long.getLong("journal.seeds", 60));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  @Rule({"I-01", "I-05", "I-11"})
  void whatWasToldSurvivesThePowerWithCheckpoints(long seed) throws IOException {
    var luck = new Random(seed);
    var with =
        settings()
            .withSegmentBytes(2_000 + luck.nextInt(20_000))
            .withCheckpointBytes(1_000 + luck.nextInt(30_000))
            .withResidentBytes(luck.nextBoolean() ? 0 : 1 << 20);
    var disk = new SimDisk();
    var ledger = new Ledger(luck);
    for (var life = 0; life < LIVES; life++) {
      var threads = new SimExecutors();
      ledger.on(
          FileJournal.open(with, threads.shardExecutor(), disk, threads, luck::nextLong), threads);
      live(ledger, threads, luck);
      if (luck.nextInt(4) == 0) {
        threads.settle();
        ledger.journal().close();
        disk = disk.copy();
      } else {
        disk = disk.crashed(luck);
      }
    }
  }

  private static void live(Ledger ledger, SimExecutors threads, Random luck) {
    for (var i = luck.nextInt(80); i > 0; i--) {
      switch (luck.nextInt(20)) {
        case 0 -> threads.pass();
        case 1 -> ledger.sendLarge();
        default -> ledger.change();
      }
      for (var steps = luck.nextInt(10); steps > 0; steps--) {
        threads.step(luck);
        ledger.checkpoint();
      }
    }
  }

  /** Until this many checkpoints are there. */
  private Ledger written(SimDisk disk, int count) throws IOException {
    var ledger = new Ledger(chance);
    ledger.on(
        FileJournal.open(small(), executors.shardExecutor(), disk, executors, chance::nextLong),
        executors);
    while (ledger.completed < count) {
      ledger.change();
      executors.settle();
      ledger.checkpoint();
    }
    for (var i = 0; i < 10; i++) {
      ledger.change();
    }
    executors.settle();
    ledger.journal().close();
    return ledger;
  }

  private Ledger reopened(Ledger ledger, SimDisk disk) throws IOException {
    ledger.on(
        FileJournal.open(small(), executors.shardExecutor(), disk, executors, chance::nextLong),
        executors);
    return ledger;
  }

  @Test
  @Rule("I-01")
  void aRecoveryBeginsWithTheNewestAndTwoAreKept() throws IOException {
    var disk = new SimDisk();
    var ledger = written(disk, 5);

    assertThat(checkpoints(disk)).hasSize(2);
    reopened(ledger, disk);
    assertThat(ledger.restoredParts).isPositive();
  }

  @Test
  @Rule({"I-01", "I-35"})
  void aBodyThatTwoMessagesHaveIsCountedOnceAndGivesItsSpaceBack() throws IOException {
    var disk = new SimDisk();
    var ledger = reopened(written(disk, 1), disk);
    for (var i = 0; i < 40; i++) {
      ledger.topic.publish(300, 300);
      executors.settle();
    }
    for (var i = 0; i < 2_000 && ledger.completed < 3; i++) {
      ledger.change();
      executors.settle();
      ledger.checkpoint();
    }
    ledger.journal().close();
    reopened(ledger, disk);

    ledger.completeAll();
    ledger.topic.completeAll();
    // Up to a checkpoint, after which only the log since the one before it is kept.
    var completed = ledger.completed;
    for (var i = 0; i < 2_000 || ledger.completed == completed; i++) {
      completed = ledger.completed;
      ledger.send(200);
      ledger.completeAll();
      executors.settle();
      ledger.checkpoint();
    }
    executors.settle();

    assertThat(segments(disk)).as("3 with the bodies counted right, 9 without").isLessThan(6);
  }

  @Test
  @Rule({"I-01", "I-11"})
  void aDamagedOneIsSetAsideAndTheOneBeforeItIsUsed() throws IOException {
    var disk = new SimDisk();
    var ledger = written(disk, 4);
    reopened(ledger, disk);
    for (var i = 0; i < 30; i++) {
      ledger.change();
    }
    ledger.completeAll(); // whole segments between the two are dead now, and must stay
    executors.settle();
    while (ledger.completed < 5) {
      ledger.checkpoint();
      executors.settle();
    }
    ledger.change();
    executors.pass();
    ledger.journal().close();
    var newest = checkpoints(disk).get(1);
    var content = disk.content(newest);

    for (var at = 0; at < content.length; at += 1 + content.length / 300) {
      var flipped = disk.copy();
      var bytes = content.clone();
      bytes[at] ^= (byte) (1 << (at % 8));
      flipped.put(newest, bytes);

      reopened(ledger, flipped);

      assertThat(ledger.restoredParts).as("byte %s", at).isPositive();
      assertThat(flipped.names()).contains(newest + ".damaged").doesNotContain(newest);
    }
  }

  @Test
  @Rule("I-11")
  void withBothDamagedNothingIsMadeUp() throws IOException {
    var disk = new SimDisk();
    var ledger = written(disk, 6);
    for (var name : checkpoints(disk)) {
      var bytes = disk.content(name).clone();
      bytes[bytes.length / 2] ^= 1;
      disk.put(name, bytes);
    }
    var before = disk.names();

    // Segments are gone, and bodies were moved, so the log alone cannot tell the whole story.
    assertThatThrownBy(() -> reopened(ledger, disk))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no checkpoint that is intact says which");
    assertThat(disk.names()).isEqualTo(before);
  }

  @Test
  @Rule("I-11")
  void withoutTheLogBehindItTheStartIsRefused() throws IOException {
    var disk = new SimDisk();
    var ledger = written(disk, 3);
    for (var name : disk.names()) {
      if (Segment.isName(name)) {
        disk.delete(name);
      }
    }

    assertThatThrownBy(() -> reopened(ledger, disk))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the log behind it is missing");
  }

  @Test
  @Rule("I-10")
  void aCheckpointThatCannotBeWrittenCostsTheLogNothing() throws IOException {
    var disk = new SimDisk();
    var ledger = new Ledger(chance);
    ledger.on(
        FileJournal.open(small(), executors.shardExecutor(), disk, executors, chance::nextLong),
        executors);
    while (ledger.lastIndex() < 40) {
      ledger.change();
      executors.settle();
    }

    disk.failOnce(disk.changes() + 1, "no room for a checkpoint");
    while (ledger.completed == 0) {
      ledger.checkpoint();
      executors.settle();
    }
    ledger.change();
    executors.settle();

    assertThat(checkpoints(disk)).isEmpty();
    assertThat(ledger.durable).isEqualTo(ledger.lastIndex());
    ledger.journal().close();
    reopened(ledger, disk);
    assertThat(disk.names()).noneMatch(CheckpointFile::isFreshName);
  }

  @Test
  @Rule("I-01")
  void ofOneBatchThereIsOneCheckpoint() throws IOException {
    var disk = new SimDisk();
    var ledger = written(disk, 2);
    reopened(ledger, disk);
    while (ledger.completed < 3) {
      ledger.change();
      ledger.checkpoint();
      executors.settle();
    }
    ledger.journal().close();
    var often = small().withCheckpointBytes(1);

    // The log behind the newest looks long enough at each start, but nothing was added to it.
    for (var start = 0; start < 3; start++) {
      ledger.on(
          FileJournal.open(often, executors.shardExecutor(), disk, executors, chance::nextLong),
          executors);
      for (var step = 0; step < 100; step++) {
        ledger.checkpoint();
        executors.settle();
      }
      ledger.change();
      for (var step = 0; step < 100; step++) {
        ledger.checkpoint();
        executors.settle();
      }
      assertThat(checkpoints(disk)).hasSize(2);
      ledger.journal().close();
    }
  }

  @Test
  void segmentsThatAreDeadGoFromTheMiddle() throws IOException {
    var disk = new SimDisk();
    var ledger = written(disk, 30);

    // What is left is the last segments and those that something alive still pins.
    assertThat(segments(disk)).isLessThan(ledger.lastIndex() / 10);
    reopened(ledger, disk);
  }
}
