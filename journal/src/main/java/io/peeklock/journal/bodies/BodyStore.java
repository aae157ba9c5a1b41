package io.peeklock.journal.bodies;

import io.peeklock.journal.CommitNotifier;
import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.blocks.BodyRun;
import io.peeklock.journal.blocks.ResidentBodies;
import io.peeklock.journal.blocks.StoredLarge;
import io.peeklock.journal.large.FileLarge;
import io.peeklock.journal.large.LargeFiles;
import io.peeklock.journal.log.Entry;
import io.peeklock.journal.segment.BodyFile;
import io.peeklock.journal.segment.BodyLocations;
import io.peeklock.journal.segment.CheckpointRetention;
import io.peeklock.journal.segment.ColdSegment;
import io.peeklock.journal.segment.ColdSegments;
import io.peeklock.journal.segment.Segment;
import io.peeklock.journal.segment.Segments;
import io.peeklock.journal.segment.Usage;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.runtime.thread.ShardThread;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps track of bodies: which are in memory, where the others are, how many of each file are
 * alive, and so which files may be removed.
 */
@ShardThread
public final class BodyStore {
  private final JournalSettings settings;
  private final CommitNotifier outcome;
  private final ColdReads coldReads;
  private final LargeFiles largeFiles;

  private final CheckpointRetention retention = new CheckpointRetention();
  private final ResidentBodies resident = new ResidentBodies();
  private final BodyLocations locations = new BodyLocations();
  private final Map<Long, Large> larges = new HashMap<>();
  private final Segments segments = new Segments(retention);
  private final ColdSegments cold = new ColdSegments(retention);
  private final ArrayDeque<Entry> unsettled = new ArrayDeque<>();

  /** Bodies of batches up to this one have places in files. */
  private long settledIndex;

  private boolean closed;

  /** Nothing is removed during recovery, which may still be refused. */
  private boolean recovering = true;

  /** Large bodies that died during recovery. */
  private final List<StoredLarge> leaving = new ArrayList<>();

  /** A body with its own file, and the segment that names it; null when that is gone. */
  private record Large(StoredLarge body, @Nullable Segment segment) {}

  /** A store without bodies, in recovery until {@link #endRecovery}. */
  public BodyStore(
      JournalSettings settings,
      CommitNotifier outcome,
      ColdReads coldReads,
      LargeFiles largeFiles) {
    this.settings = settings;
    this.outcome = outcome;
    this.coldReads = coldReads;
    this.largeFiles = largeFiles;
  }

  public Segments segments() {
    return segments;
  }

  public ColdSegments cold() {
    return cold;
  }

  public CheckpointRetention retention() {
    return retention;
  }

  public BodyLocations locations() {
    return locations;
  }

  ResidentBodies resident() {
    return resident;
  }

  /** A living large body; null for any other id. */
  @Nullable StoredLarge large(long bodyId) {
    var known = larges.get(bodyId);
    return known == null ? null : known.body;
  }

  /** The living large bodies in files. */
  public List<FileLarge> livingLarges() {
    var living = new ArrayList<FileLarge>();
    for (var large : larges.values()) {
      if (large.body instanceof FileLarge inFile) {
        living.add(inFile);
      }
    }
    return living;
  }

  /** The file of a body with this location; null when it is gone. */
  public @Nullable BodyFile fileOf(long bodyId, long location) {
    return BodyLocations.isCold(location)
        ? cold.at(BodyLocations.slot(location))
        : segments.of(bodyId);
  }

  /** Adds a segment that recovery found; its bodies follow. */
  public void recovered(Segment segment) {
    segments.add(segment);
  }

  /** Whether a body has a location. */
  public boolean isKnown(long bodyId) {
    return locations.get(bodyId) != BodyLocations.NONE;
  }

  /** Adds a body that recovery found in a segment. */
  public void recovered(long bodyId, long location, Segment segment) {
    locations.put(bodyId, location);
    segment.gained(location);
  }

  /** Adds a body that recovery found in a cold segment. */
  public void recovered(long bodyId, long location, ColdSegment segment) {
    locations.put(bodyId, location);
    segment.gained(bodyId, location);
  }

  /** Adds a large body that recovery found named in the log. */
  public void recovered(long bodyId, FileLarge large, @Nullable Segment segment) {
    locations.put(bodyId, BodyLocations.LARGE);
    keep(bodyId, large, segment);
  }

  private void keep(long bodyId, StoredLarge large, @Nullable Segment segment) {
    larges.put(bodyId, new Large(large, segment));
    if (segment != null) {
      segment.larges++;
    }
  }

  /** The last batch whose bodies have locations. */
  public long settledIndex() {
    return settledIndex;
  }

  /** The locations of the bodies that facts of a checkpoint name. */
  public BodyPlaces places(List<Fact> facts) {
    var ids = CheckpointBodies.idsIn(facts);
    var at = new long[ids.length];
    var found = new ArrayList<FileLarge>();
    for (var i = 0; i < ids.length; i++) {
      at[i] = locations.get(ids[i]);
      if (at[i] == BodyLocations.LARGE && large(ids[i]) instanceof FileLarge large) {
        found.add(large);
      }
    }
    return new BodyPlaces(at, found);
  }

  /** Notes that everything up to this index is recovered and has its location. */
  public void recoveredUpTo(long index) {
    settledIndex = index;
  }

  /** Takes over the bodies of a batch that is being written. */
  public void appended(Entry entry) {
    var bodyId = entry.batch.firstBodyId();
    for (var run : entry.runs) {
      run.appended(bodyId, entry.batch.index());
      for (var i = 0; entry.largeBodies > 0 && i < run.count(); i++) {
        if (run.length(i) == BodyRun.LARGE) {
          keep(bodyId + i, run.large(i), entry.segment);
        }
      }
      resident.add(run);
      bodyId += run.count();
    }
    entry.segment.live += entry.bodies - entry.largeBodies;
    entry.segment.liveBytes += entry.bodyBytes;
    if (entry.bodies > 0 || entry.batch.deadBodies().length > 0) {
      unsettled.add(entry);
    }
    evict();
  }

  /** Evicts bodies from memory that are in files. */
  void evict() {
    resident.evict(settings.residentBytes(), settledIndex);
  }

  /**
   * Handles batches that became durable: their bodies get locations, and the bodies that they name
   * as dead are removed.
   */
  public void settle() {
    if (closed) {
      return;
    }
    var durable = outcome.durableIndex();
    for (var next = unsettled.peek();
        next != null && next.batch.index() <= durable;
        next = unsettled.peek()) {
      unsettled.remove();
      locate(next);
      kill(next.batch.deadBodies());
    }
    settledIndex = durable;
    evict();
    removeFiles();
  }

  private void locate(Entry entry) {
    var bodyId = entry.batch.firstBodyId();
    var offset = entry.bodiesAt;
    for (var run : entry.runs) {
      for (var i = 0; i < run.count(); i++) {
        if (run.length(i) == BodyRun.LARGE) {
          locations.put(bodyId, BodyLocations.LARGE);
        } else {
          locations.put(bodyId, BodyLocations.at(offset, run.length(i)));
          offset += BodyRun.CHECK_BYTES + run.length(i);
        }
        bodyId++;
      }
    }
  }

  /** Ends a successful recovery: what died in it may be removed. */
  public void endRecovery() {
    recovering = false;
    leaving.forEach(StoredLarge::release);
    leaving.clear();
    removeFiles();
  }

  /** Forgets bodies that nothing durable refers to; unknown and dead ids are ignored. */
  public void forget(long[] bodyIds) {
    kill(bodyIds);
    if (!recovering) {
      removeFiles();
    }
  }

  private void kill(long[] bodyIds) {
    for (var bodyId : bodyIds) {
      var location = locations.remove(bodyId);
      if (location == BodyLocations.NONE) {
        continue;
      }
      resident.died(bodyId);
      if (location == BodyLocations.LARGE) {
        killLarge(bodyId);
        continue;
      }
      var file = fileOf(bodyId, location);
      if (file != null) {
        file.lost(location);
        if (file instanceof ColdSegment) {
          retention.left(file);
        }
      }
    }
  }

  private void killLarge(long bodyId) {
    var large = larges.remove(bodyId);
    if (large != null) {
      if (recovering) {
        leaving.add(large.body);
      } else {
        large.body.release();
      }
      if (large.segment != null) {
        large.segment.larges--;
      }
    }
  }

  /** Notes that a body was copied; false, and nothing changed, when it died meanwhile. */
  public boolean moved(long bodyId, long from, BodyFile source, long to, ColdSegment target) {
    if (!locations.move(bodyId, from, to)) {
      return false;
    }
    source.lost(from);
    source.movedBytes += BodyLocations.bytes(from);
    retention.left(source);
    target.gained(bodyId, to);
    return true;
  }

  /** Removes the files that nothing needs any more. */
  public void removeFiles() {
    for (var gone = segments.takeRemovable(); gone != null; gone = segments.takeRemovable()) {
      remove(gone);
    }
    for (var gone = cold.takeRemovable(); gone != null; gone = cold.takeRemovable()) {
      remove(gone);
    }
  }

  private void remove(BodyFile file) {
    coldReads.forget(file.name);
    largeFiles.removeSegment(file.name);
  }

  /** Keeps every file that recovery found, as a kept checkpoint that was not read may name it. */
  public void keepForCheckpoints() {
    segments.all().forEach(retention::left);
    cold.all().forEach(retention::left);
  }

  /** The number of living bodies. */
  public long liveBodies() {
    var live = 0L;
    for (var segment : segments.all()) {
      live += segment.live + segment.larges;
    }
    for (var segment : cold.all()) {
      live += segment.live;
    }
    return live;
  }

  /** The disk use of the files, summed over all of them. */
  public Usage usage() {
    var sum = new long[4];
    for (var segment : segments.all()) {
      add(segment, segment != segments.open(), sum);
    }
    for (var segment : cold.all()) {
      add(segment, true, sum);
    }
    return new Usage(sum[0], sum[1], sum[2], sum[3]);
  }

  private void add(BodyFile file, boolean isFull, long[] sum) {
    sum[0] += file.bytes;
    sum[1] += file.liveBytes;
    // What checkpoints have let go and somebody still reads is no reason to make more of them.
    var staysForReaders = file.pins > 0 && retention.hasForgotten(file);
    if (isFull && file.live == 0 && file.leftAt > 0 && !staysForReaders) {
      sum[2] += file.bytes;
      sum[3] += file.movedBytes;
    }
  }

  /** Releases all bodies in memory. */
  public void close() {
    closed = true;
    for (var run = resident.oldest(); run != null; run = resident.oldest()) {
      resident.remove(run);
    }
  }
}
