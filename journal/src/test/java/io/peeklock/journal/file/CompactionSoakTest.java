package io.peeklock.journal.file;

import static io.peeklock.journal.sim.SimDisk.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.checkpoint.CheckpointFile;
import io.peeklock.journal.segment.ColdSegment;
import io.peeklock.journal.sim.SimDisk;
import io.peeklock.journal.sim.SimExecutors;
import io.peeklock.journal.sim.SoakLoad;
import java.io.IOException;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The log takes at most two times what lives in it and two segments, however long it runs. Longer:
 * {@code -Dsoak.messages=3000000}.
 */
class CompactionSoakTest {
  private static final long MESSAGES = Long.getLong("soak.messages", 60_000);
  private static final int SEGMENT_BYTES = 512 * 1024;

  private final SimDisk disk = new SimDisk();
  private final SoakLoad load = new SoakLoad((int) (MESSAGES / 3));

  private static JournalSettings small() {
    return settings()
        .withSegmentBytes(SEGMENT_BYTES)
        .withCheckpointBytes(4 << 20)
        .withResidentBytes(1 << 20);
  }

  private SimExecutors open(SimDisk on) throws IOException {
    var executors = new SimExecutors();
    load.on(
        FileJournal.open(
            small(), executors.shardExecutor(), on, executors, new Random(2)::nextLong));
    return executors;
  }

  @Test
  void diskUseStaysWithinTwoTimesWhatLivesAndTwoSegments() throws IOException {
    var now = disk;
    var executors = open(now);
    var worst = 0.0;
    var most = 0L;
    var peakUse = 0L;
    var peakLive = 0L;
    for (var step = 0; load.sent() < MESSAGES; step++) {
      load.step();
      for (var i = 0; i < 3; i++) {
        executors.settle();
        load.checkpoint();
      }
      executors.settle();
      if (step % 20 == 0) {
        executors.pass();
      }
      var state = newestCheckpoint(now);
      var use = now.bytesOf(".log", ".cold", ".new", ".checkpoint");
      var live = load.liveBytes() + state;
      worst = Math.max(worst, (double) (use - 2 * live) / SEGMENT_BYTES);
      peakUse = Math.max(peakUse, use);
      peakLive = Math.max(peakLive, live);
      most++;
      if (step % 2_000 == 1_999) {
        load.check(executors);
        load.journal().close();
        now = now.copy();
        executors = open(now);
      }
    }
    load.check(executors);
    System.out.printf(
        Locale.ROOT,
        "soak: %d messages, at most %d bytes live, at most %d on the disk, at most 2 x live + %.2f"
            + " segments in %d looks, %d cold segments left%n",
        load.sent(),
        peakLive,
        peakUse,
        worst,
        most,
        now.names().stream().filter(ColdSegment::isName).count());

    assertThat(worst).as("segments beyond two times what lives").isLessThanOrEqualTo(2.0);
  }

  private static long newestCheckpoint(SimDisk disk) {
    var names = disk.names().stream().filter(CheckpointFile::isName).toList();
    return names.isEmpty() ? 0 : disk.content(names.get(names.size() - 1)).length;
  }
}
