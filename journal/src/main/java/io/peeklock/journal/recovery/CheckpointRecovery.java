package io.peeklock.journal.recovery;

import io.peeklock.journal.StoreChange;
import io.peeklock.journal.bodies.BodyStore;
import io.peeklock.journal.bodies.CheckpointBodies;
import io.peeklock.journal.checkpoint.CheckpointFile;
import io.peeklock.journal.checkpoint.CheckpointReader;
import io.peeklock.journal.checkpoint.SegmentTable;
import io.peeklock.journal.disk.Disk;
import io.peeklock.journal.large.LargeFiles;
import io.peeklock.journal.segment.BodyLocations;
import io.peeklock.journal.segment.Segment;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.runtime.Log;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the newest intact checkpoint and restores its state. A damaged one is logged, set aside
 * once everything else is well, and the one before it is used, or the whole log.
 */
final class CheckpointRecovery {
  private static final Logger LOG = LoggerFactory.getLogger(CheckpointRecovery.class);
  private static final int KEPT = 2;

  private final Disk disk;
  private final BodyStore bodies;
  private final LargeFiles largeFiles;
  private final Log.Replay replay;
  private final Set<Long> largeSeen;
  private final ColdRecovery cold;
  private final List<String> damaged = new ArrayList<>();
  private final List<String> names;
  private final List<Long> good = new ArrayList<>();

  // The segments at the time of the checkpoint, by place in its table, whether they still exist or
  // not.
  private SegmentTable table = new SegmentTable(new long[0]);
  private Segment[] segments = new Segment[0];
  private long restoredIndex;

  CheckpointRecovery(
      Disk disk, BodyStore bodies, LargeFiles largeFiles, Log.Replay replay, Set<Long> largeSeen)
      throws IOException {
    this.disk = disk;
    this.bodies = bodies;
    this.largeFiles = largeFiles;
    this.replay = replay;
    this.largeSeen = largeSeen;
    this.cold = new ColdRecovery(disk, bodies);
    this.names = disk.list("").stream().filter(CheckpointFile::isName).toList();
  }

  /** The index of the newest intact checkpoint, 0 for none. */
  long find() throws IOException {
    for (var i = names.size() - 1; i >= 0; i--) {
      var name = names.get(i);
      try (var reader = open(name)) {
        var damage = reader.damage();
        if (damage == null) {
          names.subList(0, i + 1).forEach(kept -> good.add(CheckpointFile.indexIn(kept)));
          return CheckpointFile.indexIn(name);
        }
        LOG.warn("The checkpoint {} is not used: {}", disk.describe(name), damage);
        damaged.add(name);
      }
    }
    return 0;
  }

  /**
   * Refuses when no checkpoint is intact and the log is not complete. It is complete as long as
   * there was at most one checkpoint, because then nothing was moved or removed.
   *
   * @param firstIndex the index of the oldest batch
   */
  void refuseUnlessTheLogSuffices(long firstIndex) throws IOException {
    cold.refuseIfAny();
    if (!damaged.isEmpty() && firstIndex > 1) { // otherwise the log itself shows what is missing
      throw new IOException(
          disk.describe(damaged.get(0))
              + " is damaged, and no other checkpoint is there, and the log begins at batch "
              + firstIndex
              + ": a part of the log is missing"
              + DamagedLog.WAY_OUT);
    }
  }

  private CheckpointReader open(String name) throws IOException {
    return new CheckpointReader(disk.open(name), disk.describe(name), CheckpointFile.indexIn(name));
  }

  /** Restores the state after this batch; the segments must be known. */
  void restore(long index) throws IOException {
    restoredIndex = index;
    try (var reader = open(CheckpointFile.nameOf(index))) {
      var damage = reader.damage();
      if (damage != null) {
        throw new IOException(
            "the checkpoint of batch " + index + " changed while it was read: " + damage);
      }
      reader.read(
          new CheckpointReader.Content() {
            @Override
            public void segments(long[] named) {
              takeTable(new SegmentTable(named));
            }

            @Override
            public void cold(long[] named) throws IOException {
              cold.find(named, index);
            }

            @Override
            public void part(List<Fact> facts, long[] at, List<CheckpointReader.Large> larges)
                throws IOException {
              takeBodies(CheckpointBodies.idsIn(facts), at, larges);
              replay.restored(index, facts);
            }
          });
    }
  }

  private void takeTable(SegmentTable named) {
    table = named;
    segments = new Segment[named.size()];
    for (var i = 0; i < segments.length; i++) {
      var found = bodies.segments().numbered(named.number(i));
      segments[i] = found == null ? missing(named, i) : found;
    }
  }

  /** The first indexes of the checkpoint's segments, by number, as far as they were durable. */
  Map<Long, Long> firstIndexes() {
    return table.firstIndexes(restoredIndex);
  }

  private Segment missing(SegmentTable named, int place) {
    var segment =
        new Segment(named.number(place), named.firstIndex(place), named.firstBodyId(place));
    bodies.segments().addMissing(segment);
    return segment;
  }

  /**
   * Refuses when segments are missing, after the log was replayed and dead bodies forgotten. The
   * broker removes only segments without living bodies, which the later log shows; if a body is
   * alive, something else removed its segment.
   *
   * @param changes the changes that a start would otherwise make
   */
  void refuseIfSegmentsAreMissing(List<StoreChange> changes) throws IOException {
    var living = new TreeMap<String, Long>();
    for (var segment : bodies.segments().takeMissing()) {
      if (segment.live > 0) {
        living.put(segment.name, segment.live);
      }
    }
    if (!living.isEmpty()) {
      throw MissingFilesException.ofSegments(disk, restoredIndex, living, changes);
    }
  }

  private void takeBodies(long[] ids, long[] at, List<CheckpointReader.Large> larges)
      throws IOException {
    var nextLarge = 0;
    for (var i = 0; i < ids.length; i++) {
      var another = bodies.isKnown(ids[i]); // copies of a topic's message share one body
      if (another) {
        nextLarge += at[i] == BodyLocations.LARGE ? 1 : 0;
      } else if (at[i] == BodyLocations.LARGE) {
        takeLarge(ids[i], larges.get(nextLarge++));
      } else if (BodyLocations.isCold(at[i])) {
        bodies.recovered(ids[i], at[i], cold.holding(at[i]));
      } else if (at[i] != BodyLocations.NONE) {
        takeBody(ids[i], at[i]);
      }
    }
  }

  private void takeBody(long bodyId, long location) throws IOException {
    var segment = segmentOf(bodyId);
    if (segment != null) {
      refuseIfCut(segment, location);
      bodies.recovered(bodyId, location, segment);
    }
  }

  /**
   * Refuses when a segment is too short. The last one may continue after the batch, which the log
   * shows; those before it must be complete.
   */
  private void refuseIfCut(Segment segment, long location) throws IOException {
    var there = segment.bytes > 0 && segment != bodies.segments().open();
    if (there && BodyLocations.end(location) > segment.bytes) {
      throw DamagedLog.at(
          disk,
          segment.name,
          segment.bytes,
          "it ends there, and the checkpoint of batch "
              + restoredIndex
              + " says that a message's body ends at offset "
              + BodyLocations.end(location));
    }
  }

  /** Restores a large body from the checkpoint, as the segment that names it may be gone. */
  private void takeLarge(long bodyId, CheckpointReader.Large large) {
    largeSeen.add(large.fileId());
    var file = largeFiles.known(large.fileId(), large.length(), large.tableCheck());
    bodies.recovered(bodyId, file, segmentOf(bodyId));
  }

  private @Nullable Segment segmentOf(long bodyId) {
    var place = table.placeOf(bodyId);
    return place < 0 ? null : segments[place];
  }

  /**
   * Sets damaged checkpoints aside, removes unneeded ones, and returns those that are kept; only
   * after a successful recovery.
   */
  List<Long> tidy() throws IOException {
    for (var name : damaged) {
      disk.rename(name, CheckpointFile.damagedNameOf(name));
    }
    for (var name : disk.list("")) {
      if (CheckpointFile.isFreshName(name)) {
        disk.delete(name);
      }
    }
    cold.tidy();
    while (good.size() > KEPT) {
      disk.delete(CheckpointFile.nameOf(good.remove(0)));
    }
    return List.copyOf(good);
  }
}
