package io.peeklock.journal.recovery;

import io.peeklock.journal.bodies.BodyStore;
import io.peeklock.journal.checkpoint.CheckpointReader;
import io.peeklock.journal.disk.Disk;
import io.peeklock.journal.scan.ColdScan;
import io.peeklock.journal.segment.BodyLocations;
import io.peeklock.journal.segment.ColdSegment;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the cold segments that a checkpoint names. A missing, short or different file is damage.
 * Cold segments that it does not name stay too, without bodies, until new checkpoints are complete:
 * the older kept checkpoint may name them, and is needed if the newer one is damaged.
 */
final class ColdRecovery {
  private static final Logger LOG = LoggerFactory.getLogger(ColdRecovery.class);

  private final Disk disk;
  private final BodyStore bodies;
  private final List<String> files;

  ColdRecovery(Disk disk, BodyStore bodies) throws IOException {
    this.disk = disk;
    this.bodies = bodies;
    this.files = disk.list("");
  }

  /** Refuses cold segments without a checkpoint, as a lost checkpoint named their bodies. */
  void refuseIfAny() throws IOException {
    for (var file : files) {
      if (ColdSegment.isName(file)) {
        throw new IOException(
            disk.describe(file)
                + " holds bodies, and no checkpoint that is intact says which"
                + DamagedLog.WAY_OUT);
      }
    }
  }

  /** The cold segments that the checkpoint of a batch names. */
  void find(long[] table, long index) throws IOException {
    for (var named : CheckpointReader.Cold.in(table)) {
      var segment = new ColdSegment(named.number(), named.salt(), named.slot());
      if (!files.contains(segment.name)) {
        throw damaged(segment, "is missing, and the checkpoint of batch " + index + " names it");
      }
      check(segment, named);
      bodies.cold().add(segment);
    }
  }

  private void check(ColdSegment segment, CheckpointReader.Cold named) throws IOException {
    var file = disk.describe(segment.name);
    try (var scan = new ColdScan(disk.open(segment.name), file, segment.number)) {
      var damage = scan.damage(named);
      if (damage != null) {
        throw damaged(segment, "is damaged at offset " + damage.offset() + ": " + damage.what());
      }
      segment.bytes = scan.bytes();
    }
  }

  private IOException damaged(ColdSegment segment, String how) {
    return new IOException(disk.describe(segment.name) + " " + how + DamagedLog.WAY_OUT);
  }

  /** The cold segment of a location in the checkpoint. */
  ColdSegment holding(long location) throws IOException {
    var found = bodies.cold().at(BodyLocations.slot(location));
    if (found == null || BodyLocations.end(location) > found.bytes) {
      throw new IOException("the checkpoint names a place that is in no cold segment it knows");
    }
    return found;
  }

  /** Removes unfinished files and adds the others; only after a successful recovery. */
  void tidy() throws IOException {
    for (var file : files) {
      if (ColdSegment.isFreshName(file)) {
        LOG.info("{} was not finished; it is removed", disk.describe(file));
        disk.delete(file);
      } else if (ColdSegment.isName(file) && !isKnown(file)) {
        keep(file);
      }
    }
  }

  private boolean isKnown(String file) {
    return bodies.cold().all().stream().anyMatch(segment -> segment.name.equals(file));
  }

  private void keep(String file) throws IOException {
    var segment = new ColdSegment(ColdSegment.numberIn(file), 0, ColdSegment.NO_SLOT);
    try (var open = disk.open(file)) {
      segment.bytes = open.size();
    }
    bodies.cold().add(segment);
  }
}
