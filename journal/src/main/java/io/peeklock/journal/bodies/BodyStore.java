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
 * What is known about bodies: which are in memory, where the others lie, how many of a file's are
 * alive, and so which files may go.
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

  /** Until all that was found counts nothing is removed: a recovery may yet be refused. */
  private boolean recovering = true;

  /** Large bodies that died meanwhile. */
  private final List<StoredLarge> leaving = new ArrayList<>();

  /** A body with a file of its own, and the segment that names it; null when that is gone. */
  private record Large(StoredLarge body, @Nullable Segment segment) {}

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

  /** A large body that lives; null for any other. */
  @Nullable StoredLarge large(long bodyId) {
    var known = larges.get(bodyId);
    return known == null ? null : known.body;
  }

  /** The large bodies in files that live. */
  public List<FileLarge> livingLarges() {
    var living = new ArrayList<FileLarge>();
    for (var large : larges.values()) {
      if (large.body instanceof FileLarge inFile) {
        living.add(inFile);
      }
    }
    return living;
  }

  /** The file that a body with a place lies in, or null when that is gone. */
  public @Nullable BodyFile fileOf(long bodyId, long location) {
    return BodyLocations.isCold(location)
        ? cold.at(BodyLocations.slot(location))
        : segments.of(bodyId);
  }

  /** A segment that was found; bodies in it follow. */
  public void recovered(Segment segment) {
    segments.add(segment);
  }

  /** Whether a body has a place. */
  public boolean isKnown(long bodyId) {
    return locations.get(bodyId) != BodyLocations.NONE;
  }

  /** A body that was found in a segment. */
  public void recovered(long bodyId, long location, Segment segment) {
    locations.put(bodyId, location);
    segment.gained(location);
  }

  /** A body that was moved to a cold segment. */
  public void recovered(long bodyId, long location, ColdSegment segment) {
    locations.put(bodyId, location);
    segment.gained(bodyId, location);
  }

  /** A large body that was found named. */
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

  /** Bodies of batches up to this one have places. */
  public long settledIndex() {
    return settledIndex;
  }

  /** Where the bodies lie that facts of a checkpoint name. */
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

  /** All up to here was recovered and has its place. */
  public void recoveredUpTo(long index) {
    settledIndex = index;
  }

  /** Takes over the bodies of a batch that is on its way to the disk. */
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

  /** What is in files need not be in memory too. */
  void evict() {
    resident.evict(settings.residentBytes(), settledIndex);
  }

  /** Some batches became durable: their bodies have places now, and those they killed are dead. */
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

  /** The recovery counts: what died in it may go. */
  public void endRecovery() {
    recovering = false;
    leaving.forEach(StoredLarge::release);
    leaving.clear();
    removeFiles();
  }

  /** Nothing durable refers to these any more; ids that are unknown or dead already are ignored. */
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

  /** A body was copied; false when it died, so that nothing changes. */
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

  /** All that was found at a recovery: a kept checkpoint that was not read may name it. */
  public void keepForCheckpoints() {
    segments.all().forEach(retention::left);
    cold.all().forEach(retention::left);
  }

  /** How many bodies are alive. */
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

  /** What the files take, and what for. Looks at each of them. */
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

  private static void add(BodyFile file, boolean isFull, long[] sum) {
    sum[0] += file.bytes;
    sum[1] += file.liveBytes;
    if (isFull && file.live == 0 && file.leftAt > 0) {
      sum[2] += file.bytes;
      sum[3] += file.movedBytes;
    }
  }

  /** Lets go of what is in memory. */
  public void close() {
    closed = true;
    for (var run = resident.oldest(); run != null; run = resident.oldest()) {
      resident.remove(run);
    }
  }
}
