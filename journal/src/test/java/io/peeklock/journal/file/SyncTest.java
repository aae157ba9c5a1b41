package io.peeklock.journal.file;

import static io.peeklock.journal.file.FileJournalContractTest.open;
import static io.peeklock.journal.sim.SimDisk.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.checkpoint.CheckpointFile;
import io.peeklock.journal.checkpoint.CheckpointReader;
import io.peeklock.journal.large.LargeFormat;
import io.peeklock.journal.log.Frame;
import io.peeklock.journal.log.HighWater;
import io.peeklock.journal.segment.Segment;
import io.peeklock.journal.sim.Ledger;
import io.peeklock.journal.sim.SimDisk;
import io.peeklock.journal.sim.SimExecutors;
import io.peeklock.journal.sim.Story;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.LargeBody;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Nothing is built on what the power could still take: a test for each thing that is synced. */
class SyncTest {
  private static final int CRASHES = 24;

  private final SimExecutors executors = new SimExecutors();
  private final SimDisk disk = new SimDisk();
  private final Story story = new Story();
  private final Random chance = new Random(8);
  private final Ledger ledger = new Ledger(chance);

  private static JournalSettings small() {
    return settings().withSegmentBytes(5_000).withCheckpointBytes(8_000).withResidentBytes(0);
  }

  private static FileJournal started(SimDisk on, SimExecutors with) throws IOException {
    return FileJournal.open(small(), with.shardExecutor(), on, with, new Random(2)::nextLong);
  }

  private static List<String> checkpoints(SimDisk of) {
    return of.names().stream().filter(CheckpointFile::isName).toList();
  }

  @Test
  @Rule({"I-01", "I-04"})
  void theFileOfALargeBodyIsThereWhenItsMessageIsDurable() throws IOException {
    var size = 700_000;
    story.on(open(settings(), disk, executors));
    var writer = story.arena().openLarge(size);
    writer.write(ByteBuffer.wrap(Story.bytesOf(1, size)));
    writer.finish(
        Story.endpoint(), stored -> story.sendLarge(Objects.requireNonNull(stored, "stored")));
    executors.settle();
    assertThat(story.durable).isEqualTo(1);

    for (var seed = 0; seed < CRASHES; seed++) {
      var later = new SimExecutors();
      var after = story.copy().on(open(settings(), disk.crashed(new Random(seed)), later));
      var large = Objects.requireNonNull(Objects.requireNonNull(after.fetch(List.of(1L))).large(0));

      assertThat(read(large, later)).as("seed %s", seed).isEqualTo(Story.bytesOf(1, size));
    }
  }

  private static byte[] read(LargeBody large, SimExecutors with) {
    var all = new ByteArrayOutputStream();
    for (var from = 0L; from < large.length(); from += LargeFormat.PIECE_BYTES) {
      large.read(
          from,
          LargeFormat.PIECE_BYTES,
          Story.endpoint(),
          new LargeBody.PieceListener() {
            @Override
            public void piece(ByteBuffer bytes) {
              var piece = new byte[bytes.remaining()];
              bytes.get(piece);
              all.writeBytes(piece);
            }

            @Override
            public void failed(Throwable cause) {
              throw new AssertionError(cause);
            }
          });
    }
    with.settle();
    return all.toByteArray();
  }

  /** Once it was quiet, damage in the last batch never passes for a torn end. */
  @Test
  @Rule("I-11")
  void theWatermarkOutlivesThePower() throws IOException {
    story.on(open(settings(), disk, executors));
    story.send(200);
    executors.settle();
    var name = Segment.nameOf(1);
    var last = disk.content(name).length;
    story.send(200);
    executors.settle();
    executors.pass();
    executors.pass(); // quiet is when nothing was written between two looks

    for (var seed = 0; seed < CRASHES; seed++) {
      var after = disk.crashed(new Random(seed));
      var bytes = after.content(name);
      bytes[last + Frame.BYTES / 2] ^= 1;
      after.put(name, bytes);

      assertThatThrownBy(() -> story.copy().on(open(settings(), after, new SimExecutors())))
          .as("seed %s", seed)
          .hasMessageContaining("2 was durable");
    }
  }

  /** The log behind the newest is needed, and the older one, should the newest be damaged. */
  @Test
  @Rule("I-01")
  void whenThePowerGoesTwoWholeCheckpointsAreThere() throws IOException {
    ledger.on(started(disk, executors), executors);
    checkpointsCompleted(2);
    var seen = new TreeSet<String>();
    var bad = new ArrayList<String>();
    disk.beforeChange(
        () -> {
          for (var seed = 0; seed < 8; seed++) {
            var after = disk.crashed(new Random(seed));
            var names = checkpoints(after);
            seen.addAll(names);
            if (names.size() < 2 || !names.stream().allMatch(name -> isWhole(name, after))) {
              bad.add("before call " + disk.changes() + ": " + names);
            }
          }
        });

    checkpointsCompleted(6);

    assertThat(bad).isEmpty();
    assertThat(seen).hasSizeGreaterThan(4);
  }

  private void checkpointsCompleted(int count) {
    while (ledger.completed < count) {
      ledger.change();
      settleInAnyOrder();
      ledger.checkpoint();
    }
    settleInAnyOrder();
  }

  /** In an order of its own, what one thread syncs would hide what another one has to. */
  private void settleInAnyOrder() {
    while (executors.step(chance)) {
      // until nobody has anything to do
    }
  }

  private static boolean isWhole(String name, SimDisk in) {
    try (var reader =
        new CheckpointReader(in.open(name), in.describe(name), CheckpointFile.indexIn(name))) {
      return reader.damage() == null;
    } catch (IOException damaged) {
      return false;
    }
  }

  /** What a start has read and goes on from was perhaps never synced by the one before it. */
  @Test
  @Rule({"I-01", "I-05"})
  void whatAStartFoundAfterAKillIsThereAfterThePowerGoes() throws IOException {
    var starts = new int[1];
    disk.beforeChange(
        () -> {
          try {
            var between = disk.killed();
            var found = ledger.copy();
            var with = new SimExecutors();
            found.on(started(between, with), with);
            for (var seed = 0; seed < 3; seed++) {
              var later = new SimExecutors();
              found.copy().on(started(between.crashed(new Random(seed)), later), later);
            }
            starts[0]++;
          } catch (IOException refused) {
            throw new AssertionError("not a start", refused);
          }
        });

    ledger.on(started(disk, executors), executors);
    for (var i = 0; i < 60; i++) {
      ledger.change();
      if (i % 3 > 0) {
        executors.settle();
        ledger.checkpoint();
      }
    }
    executors.pass();

    assertThat(starts[0]).isGreaterThan(100);
    assertThat(checkpoints(disk)).isNotEmpty();
  }

  /** A checkpoint is a promise too: what it covers was durable. */
  @Test
  @Rule("I-11")
  void aLogThatEndsBeforeItsCheckpointIsDamagedAndNotTorn() throws IOException {
    var large = small().withSegmentBytes(1 << 20);
    ledger.on(
        FileJournal.open(large, executors.shardExecutor(), disk, executors, chance::nextLong),
        executors);
    var name = Segment.nameOf(1);
    var ends = new TreeMap<Long, Integer>();
    while (ledger.completed < 1) {
      ledger.change();
      executors.settle();
      ends.put(ledger.lastIndex(), disk.content(name).length);
      ledger.checkpoint();
    }
    executors.settle();
    assertThat(checkpoints(disk)).hasSize(1);
    var covered = CheckpointFile.indexIn(checkpoints(disk).get(0));

    assertThat(covered).isGreaterThan(5);

    for (var end : ends.headMap(covered).values()) {
      var cut = disk.copy();
      cut.delete(HighWater.NAME);
      cut.put(name, Arrays.copyOf(disk.content(name), end));
      assertThatThrownBy(
              () -> ledger.copy().on(started(cut, new SimExecutors()), new SimExecutors()))
          .hasMessageContaining(covered + " was durable");
    }
  }
}
