package io.peeklock.journal.file;

import static io.peeklock.journal.sim.SimDisk.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.checkpoint.CheckpointFile;
import io.peeklock.journal.segment.ColdSegment;
import io.peeklock.journal.sim.Ledger;
import io.peeklock.journal.sim.SimDisk;
import io.peeklock.journal.sim.SimExecutors;
import io.peeklock.runtime.meter.LogMeter;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * What a journal does for itself and cannot do now is told, and tried again by itself: while
 * nothing happens too.
 */
class UpkeepTest {
  private static final long PAUSE_MILLIS = 30_000;
  private static final long COMPACTION_PAUSE_MILLIS = 60_000;

  private final SimExecutors executors = new SimExecutors();
  private final SimDisk disk = new SimDisk();
  private final Ledger ledger = new Ledger(new Random(3));

  private void nothingIsInTheWay() {
    disk.refuse(name -> false);
  }

  private LogMeter start(JournalSettings with) throws IOException {
    var salts = new Random(5);
    var log = FileJournal.open(with, executors.shardExecutor(), disk, executors, salts::nextLong);
    ledger.on(log, executors);
    ledger.change();
    return log.meter();
  }

  /** Time goes by, and the shard does nothing that it is not asked for. */
  private void pass(long millis) {
    executors.pass(millis);
    while (ledger.wasWoken() || ledger.isWriting()) {
      ledger.checkpoint();
      executors.settle();
    }
  }

  private void send(int messages) {
    ledger.sendMany(messages, 200);
    executors.settle();
    ledger.checkpoint();
    pass(0);
  }

  @Test
  void aCheckpointThatFailedIsTriedAgainAfterAPauseAlthoughNothingHappens() throws IOException {
    var meter = start(settings().withSegmentBytes(1 << 20).withCheckpointBytes(20_000));
    disk.refuse(CheckpointFile::isFreshName);
    send(120);
    assertThat(meter.failedCheckpointsInARow()).isEqualTo(1);
    pass(1_000); // the log is quiet
    var last = ledger.lastIndex();

    pass(PAUSE_MILLIS - 1_001);
    assertThat(meter.failedCheckpointsInARow()).as("not before the pause is over").isEqualTo(1);
    pass(1);
    assertThat(meter.failedCheckpointsInARow()).isEqualTo(2);
    pass(PAUSE_MILLIS);
    pass(PAUSE_MILLIS);
    assertThat(meter.failedCheckpointsInARow()).isEqualTo(4);
    nothingIsInTheWay();
    pass(PAUSE_MILLIS);

    assertThat(meter.failedCheckpointsInARow()).isZero();
    assertThat(meter.failedCheckpoints()).isEqualTo(4);
    assertThat(meter.checkpoints()).isEqualTo(1);
    assertThat(disk.names()).anyMatch(CheckpointFile::isName);
    assertThat(ledger.lastIndex()).as("nobody did anything").isEqualTo(last);
    for (var i = 0; i < 10; i++) {
      pass(PAUSE_MILLIS);
    }
    assertThat(meter.checkpoints()).as("and then it is quiet").isEqualTo(1);
  }

  /** Below the reserve none is written for its own sake. */
  @Test
  void aCheckpointThatFailedOnAFullDiskIsMadeWhenThereIsRoomAgain() throws IOException {
    var reserve = 1 << 20;
    var with = settings().withSegmentBytes(1 << 20).withCheckpointBytes(20_000);
    disk.capacity(8L * reserve);
    var meter = start(with.withReserveBytes(reserve));
    disk.refuse(CheckpointFile::isFreshName);
    send(120);
    assertThat(meter.failedCheckpointsInARow()).isEqualTo(1);
    disk.leave(reserve / 2);
    nothingIsInTheWay();

    for (var i = 0; i < 5; i++) {
      pass(PAUSE_MILLIS);
    }
    assertThat(ledger.journal().takesSends()).isFalse();
    assertThat(meter.failedCheckpointsInARow()).isEqualTo(1);
    disk.leave(4L * reserve);
    pass(PAUSE_MILLIS);
    pass(PAUSE_MILLIS);

    assertThat(meter.failedCheckpointsInARow()).isZero();
    assertThat(meter.checkpoints()).isEqualTo(1);
  }

  /** Segments that are mostly dead, and nothing that can be copied out of them. */
  private LogMeter sparse() throws IOException {
    var meter =
        start(settings().withSegmentBytes(8_000).withCheckpointBytes(1 << 20).withResidentBytes(0));
    disk.refuse(name -> name.contains(".cold"));
    for (var i = 0; i < 30; i++) {
      send(20);
    }
    ledger.completeBut(20);
    for (var i = 0; i < 20 && meter.failedCompactions() == 0; i++) {
      pass(1_000);
    }
    assertThat(meter.failedCompactionsInARow()).isEqualTo(1);
    return meter;
  }

  @Test
  void compactionThatFailedIsTriedAgainAfterAPauseAlthoughNothingHappens() throws IOException {
    var meter = sparse();
    for (var failures = 2; failures <= 4; failures++) {
      pass(COMPACTION_PAUSE_MILLIS);
      assertThat(meter.failedCompactionsInARow()).isEqualTo(failures);
    }
    nothingIsInTheWay();
    pass(COMPACTION_PAUSE_MILLIS);

    assertThat(meter.failedCompactionsInARow()).isZero();
    assertThat(meter.failedCompactions()).isEqualTo(4);
    assertThat(meter.compactions()).isPositive();
    assertThat(disk.names()).anyMatch(ColdSegment::isName);
  }

  @Test
  void compactionThatFailedIsForgottenWhenThereIsNothingLeftToCompact() throws IOException {
    var meter = sparse();
    ledger.completeAll();
    executors.settle();
    pass(COMPACTION_PAUSE_MILLIS);
    pass(COMPACTION_PAUSE_MILLIS);

    assertThat(meter.failedCompactionsInARow()).isZero();
    assertThat(meter.compactions()).isZero();
  }
}
