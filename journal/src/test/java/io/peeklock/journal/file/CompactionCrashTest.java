package io.peeklock.journal.file;

import static io.peeklock.journal.sim.SimDisk.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.checkpoint.CheckpointFile;
import io.peeklock.journal.segment.ColdSegment;
import io.peeklock.journal.sim.Ledger;
import io.peeklock.journal.sim.SimDisk;
import io.peeklock.journal.sim.SimExecutors;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The power goes at any moment while bodies move, and the newest checkpoint may be damaged as well:
 * every living body is there, byte for byte. More lives: {@code -Djournal.seeds=10000}.
 */
@LongProof
class CompactionCrashTest {
  private static final int LIVES = 8;
  private static int copied;

  static LongStream seeds() {
    return LongStream.range(0, Long.getLong("journal.seeds", 100));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  @Rule({"I-01", "I-05", "I-11"})
  void everyLivingBodySurvivesThePowerWhileBodiesMove(long seed) throws IOException {
    var luck = new Random(seed);
    var with =
        settings()
            .withSegmentBytes(1_000 + luck.nextInt(6_000))
            .withCheckpointBytes(1_000 + luck.nextInt(10_000))
            .withCompactionBytesPerSecond(luck.nextBoolean() ? 1_000 : 1 << 20)
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
      if (luck.nextInt(3) == 0) {
        damageNewestCheckpoint(disk, luck);
      }
    }
  }

  private static void live(Ledger ledger, SimExecutors threads, Random luck) {
    for (var i = luck.nextInt(80); i > 0; i--) {
      switch (luck.nextInt(24)) {
        case 0 -> threads.pass();
        case 1 -> ledger.sendLarge();
        case 2 -> ledger.completeBut(2 + luck.nextInt(10));
        default -> ledger.change();
      }
      for (var steps = luck.nextInt(16); steps > 0; steps--) {
        threads.step(luck);
        ledger.checkpoint();
      }
    }
  }

  /** Two are kept so that one may be damaged. */
  private static void damageNewestCheckpoint(SimDisk disk, Random luck) {
    var names = disk.names().stream().filter(CheckpointFile::isName).toList();
    if (names.size() > 1) {
      var newest = names.get(names.size() - 1);
      var bytes = disk.content(newest).clone();
      bytes[luck.nextInt(bytes.length)] ^= 1;
      disk.put(newest, bytes);
    }
  }

  private static JournalSettings small() {
    return settings().withSegmentBytes(3_000).withCheckpointBytes(1 << 20).withResidentBytes(0);
  }

  /** Bodies move, cold segments go and come, large ones outlive their segment, all in one go. */
  private static void run(Ledger ledger, SimExecutors executors, SimDisk disk) throws IOException {
    var random = new Random(9);
    ledger.on(
        FileJournal.open(small(), executors.shardExecutor(), disk, executors, random::nextLong),
        executors);
    ledger.change();
    for (var round = 0; round < 4; round++) {
      for (var i = 0; i < 4; i++) {
        ledger.sendMany(10, 150);
        executors.settle();
        ledger.checkpoint();
      }
      if (round == 0) {
        ledger.sendLarge();
        executors.settle();
      }
      ledger.completeBut(round == 2 ? 40 : 8);
      for (var i = 0; i < 16; i++) {
        executors.pass();
        ledger.checkpoint();
      }
    }
    ledger.journal().close();
  }

  @Test
  @Rule({"I-01", "I-05", "I-11"})
  void thePowerMayGoBeforeAnyCall() throws IOException {
    var disk = new SimDisk();
    var ledger = new Ledger(new Random(4));
    disk.beforeChange(
        () -> {
          var luck = new Random(disk.changes());
          var after = disk.crashed(luck);
          if (disk.changes() % 3 == 1) {
            after = recovered(ledger.copy(), after); // which must leave what the older one names
          }
          if (disk.changes() % 3 > 0) {
            damageNewestCheckpoint(after, luck);
          }
          reopen(ledger.copy(), after);
        });

    run(ledger, new SimExecutors(), disk);

    assertThat(disk.changes()).isGreaterThan(200);
    assertThat(copied).as("cold segments came and went").isGreaterThan(2);
  }

  @Test
  @Rule({"I-10", "I-01"})
  void anyCallMayFail() throws IOException {
    var clean = new SimDisk();
    run(new Ledger(new Random(4)), new SimExecutors(), clean);

    for (var call = 1; call <= clean.changes(); call++) {
      var disk = new SimDisk();
      var ledger = new Ledger(new Random(4));
      ledger.mayFail = true;
      disk.failOnce(call, "Input/output error");
      try {
        run(ledger, new SimExecutors(), disk);
      } catch (IOException refused) {
        assertThat(refused).hasMessage("Input/output error");
      }
      for (var after : List.of(disk.copy(), disk.crashed(new Random(call)))) {
        reopen(ledger.copy(), after);
      }
    }
  }

  private static SimDisk recovered(Ledger ledger, SimDisk disk) {
    var executors = new SimExecutors();
    try {
      ledger.on(
          FileJournal.open(
              small(), executors.shardExecutor(), disk, executors, new Random(2)::nextLong),
          executors);
    } catch (IOException refused) {
      throw new AssertionError("not a start", refused);
    }
    return disk.copy();
  }

  private static void reopen(Ledger ledger, SimDisk disk) {
    var executors = new SimExecutors();
    var random = new Random(1);
    copied += disk.names().stream().anyMatch(ColdSegment::isName) ? 1 : 0;
    try {
      ledger.on(
          FileJournal.open(small(), executors.shardExecutor(), disk, executors, random::nextLong),
          executors);
      for (var i = 0; i < 8; i++) {
        executors.pass();
        ledger.checkpoint();
      }
      ledger.readAll(executors);
      ledger.journal().close();
    } catch (IOException refused) {
      throw new AssertionError("not a start", refused);
    }
  }
}
