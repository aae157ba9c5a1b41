package io.peeklock.journal;

import io.peeklock.kernel.Invariant;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.Journal;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What is known about bodies: which are in memory, where the others lie, how many of a segment's
 * are alive. All of it is the home's; the other threads get their work handed over and hand their
 * results back.
 */
final class BodyStore {
  /** So many dead bodies in a row end a read: what lies behind them is not near. */
  private static final int LONGEST_GAP = 256;

  private final JournalSettings settings;
  private final Executor home;
  private final Outcome outcome;
  private final ColdReads coldReads;
  private final LargeFiles largeFiles;

  private final ResidentBodies resident = new ResidentBodies();
  private final BodyLocations locations = new BodyLocations();
  private final Map<Long, StoredLarge> larges = new HashMap<>();
  private final Segments segments = new Segments();
  private final ArrayDeque<Entry> unsettled = new ArrayDeque<>();
  private final ArrayDeque<Fetch> waiting = new ArrayDeque<>();
  private final ReadAhead ahead;
  private boolean reading;

  /** Bodies of batches up to this one have places in files. */
  private long settledIndex;

  private boolean closed;

  BodyStore(
      JournalSettings settings,
      Executor home,
      Outcome outcome,
      ColdReads coldReads,
      LargeFiles largeFiles) {
    this.settings = settings;
    this.home = home;
    this.outcome = outcome;
    this.coldReads = coldReads;
    this.largeFiles = largeFiles;
    this.ahead = new ReadAhead(settings.residentBytes());
  }

  Segments segments() {
    return segments;
  }

  /** A segment that was found; bodies in it follow. */
  void recovered(Segment segment) {
    segments.add(segment);
  }

  /** A body that was found in a segment. */
  void recovered(long bodyId, long location, Segment segment) {
    locations.put(bodyId, location);
    segment.live++;
  }

  /** A large body that was found named in a segment. */
  void recovered(long bodyId, FileLarge large, Segment segment) {
    larges.put(bodyId, large);
    recovered(bodyId, BodyLocations.LARGE, segment);
  }

  /** Takes over the bodies of a batch that is on its way to the disk. */
  void appended(Entry entry) {
    var bodyId = entry.batch.firstBodyId();
    for (var run : entry.runs) {
      run.appended(bodyId, entry.batch.index());
      for (var i = 0; entry.largeBodies > 0 && i < run.count(); i++) {
        if (run.length(i) == BodyRun.LARGE) {
          larges.put(bodyId + i, run.large(i));
        }
      }
      resident.add(run);
      bodyId += run.count();
    }
    entry.segment.live += entry.bodies;
    if (entry.bodies > 0 || entry.batch.deadBodies().length > 0) {
      unsettled.add(entry);
    }
    resident.evict(settings.residentBytes(), settledIndex);
  }

  /** Some batches became durable: their bodies have places now, and those they killed are dead. */
  void settle() {
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
    resident.evict(settings.residentBytes(), durable);
    removeSegments();
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

  /** Nothing durable refers to these any more; ids that are unknown or dead already are ignored. */
  void forget(long[] bodyIds) {
    kill(bodyIds);
    removeSegments();
  }

  private void kill(long[] bodyIds) {
    for (var bodyId : bodyIds) {
      var location = locations.remove(bodyId);
      if (location == BodyLocations.NONE) {
        continue;
      }
      resident.died(bodyId);
      if (location == BodyLocations.LARGE) {
        var large = larges.remove(bodyId);
        if (large != null) {
          large.release();
        }
      }
      var segment = segments.of(bodyId);
      if (segment != null) {
        segment.live--;
      }
    }
  }

  private void removeSegments() {
    var durable = outcome.durableIndex();
    for (var gone = segments.takeRemovable(durable);
        gone != null;
        gone = segments.takeRemovable(durable)) {
      coldReads.forget(gone.name);
      largeFiles.removeSegment(gone.name);
    }
  }

  /** See {@link Journal#fetch}. */
  @Nullable Bodies fetch(long[] bodyIds, Journal.LoadListener whenLoaded) {
    var fetch = new Fetch(bodyIds, whenLoaded);
    fetch.gather(resident);
    if (!fetch.complete()) {
      pin(fetch, bodyIds);
      fetch.gather(resident);
    }
    if (fetch.complete()) {
      unpin(fetch);
      return fetch;
    }
    waiting.add(fetch);
    if (!reading) {
      reading = true;
      home.execute(this::readNext);
    }
    return null;
  }

  /** What is asked for now stays readable, even when it dies while it waits. */
  private void pin(Fetch fetch, long[] bodyIds) {
    var kept = new long[bodyIds.length];
    Segment last = null;
    for (var i = fetch.found(); i < bodyIds.length; i++) {
      kept[i] = locations.get(bodyIds[i]);
      if (kept[i] == BodyLocations.LARGE) {
        fetch.pin(i, Invariant.present(larges.get(bodyIds[i]), "a large body that lives is known"));
        continue;
      }
      var segment = segments.of(bodyIds[i]);
      if (segment != null && segment != last) {
        segment.pins++;
        fetch.pinnedSegments.add(segment);
        last = segment;
      }
    }
    fetch.locations = kept;
  }

  private static void unpin(Fetch fetch) {
    for (var segment : fetch.pinnedSegments) {
      segment.pins--;
    }
    fetch.pinnedSegments.clear();
  }

  /** Answers what can be answered, and reads for the first that cannot. One read at a time. */
  private void readNext() {
    if (closed) {
      return;
    }
    for (var fetch = waiting.peek(); fetch != null; fetch = waiting.peek()) {
      fetch.gather(resident);
      if (!fetch.complete()) {
        var location = fetch.missingLocation();
        if (location != BodyLocations.NONE) {
          read(fetch, location);
          return;
        }
        fail(fetch, new IOException("the log has no body " + fetch.idAt(fetch.found())));
      } else {
        end(fetch);
        fetch.listener.loaded(fetch);
      }
    }
    reading = false;
    removeSegments();
  }

  private void read(Fetch fetch, long location) {
    var bodyId = fetch.idAt(fetch.found());
    var segment = segments.of(bodyId);
    if (segment == null) {
      fail(fetch, new IOException("the segment of body " + bodyId + " is gone"));
      home.execute(this::readNext);
      return;
    }
    ahead.missed(bodyId);
    coldReads.read(
        plan(segment, bodyId, location),
        new ColdReads.Reader() {
          @Override
          public void read(BodyRun run) {
            home.execute(() -> loaded(run));
          }

          @Override
          public void failed(IOException cause) {
            home.execute(() -> unreadable(fetch, bodyId, cause));
          }
        });
  }

  /** Nobody waits: reads on behind the last read, when it looks as if that will be asked for. */
  private void readAhead() {
    var bodyId = nextLiving(ahead.next());
    var location = locations.get(bodyId);
    var segment = segments.of(bodyId);
    if (segment == null
        || location == BodyLocations.NONE
        || location == BodyLocations.LARGE
        || resident.find(bodyId) != null) {
      ahead.end();
      return;
    }
    reading = true;
    segment.pins++;
    coldReads.read(
        plan(segment, bodyId, location),
        new ColdReads.Reader() {
          @Override
          public void read(BodyRun run) {
            home.execute(
                () -> {
                  segment.pins--;
                  loaded(run);
                });
          }

          @Override
          public void failed(IOException cause) {
            home.execute(
                () -> {
                  // Whoever asks for the body itself is told; this was only a guess.
                  segment.pins--;
                  ahead.end();
                  readNext();
                });
          }
        });
  }

  private long nextLiving(long bodyId) {
    var next = bodyId;
    while (next < bodyId + LONGEST_GAP && locations.get(next) == BodyLocations.NONE) {
      next++;
    }
    return next;
  }

  /**
   * The body and those that follow it in its segment, up to a block full or to what is resident.
   */
  private ColdReads.Plan plan(Segment segment, long bodyId, long location) {
    var until = Math.min(segments.endOf(segment), resident.nextRunAfter(bodyId));
    var gap = 0;
    var bound = BodyLocations.offset(location) + BlockPool.BLOCK_BYTES;
    var planned = new long[64];
    planned[0] = location;
    var count = 1;
    for (var next = bodyId + 1; next < until && gap < LONGEST_GAP; next++) {
      var at = locations.get(next);
      if (at == BodyLocations.LARGE) {
        at = BodyLocations.NONE;
      } else if (at != BodyLocations.NONE
          && BodyLocations.offset(at) + BodyRun.CHECK_BYTES + BodyLocations.length(at) > bound) {
        break;
      }
      gap = at == BodyLocations.NONE ? gap + 1 : 0;
      var place = (int) (next - bodyId);
      if (place >= planned.length) {
        planned = Arrays.copyOf(planned, 2 * place);
      }
      planned[place] = at;
      count = at == BodyLocations.NONE ? count : place + 1;
    }
    return new ColdReads.Plan(segment, bodyId, Arrays.copyOf(planned, count));
  }

  private void loaded(BodyRun run) {
    if (closed) {
      run.releaseBlocks();
      return;
    }
    ahead.read(run.firstBodyId() + run.count());
    resident.add(run);
    readNext();
    if (!reading && ahead.isWanted()) {
      readAhead();
    }
    resident.evict(settings.residentBytes(), settledIndex);
  }

  private void unreadable(Fetch fetch, long bodyId, IOException cause) {
    if (!closed && waiting.peek() == fetch) {
      failOn(fetch, bodyId, cause);
      readNext();
    }
  }

  private void fail(Fetch fetch, IOException cause) {
    failOn(fetch, fetch.idAt(fetch.found()), cause);
  }

  private void failOn(Fetch fetch, long bodyId, IOException cause) {
    end(fetch);
    fetch.drop();
    fetch.listener.unreadable(bodyId, cause);
  }

  private void end(Fetch fetch) {
    waiting.remove(fetch);
    unpin(fetch);
  }

  /** Answers nothing more. */
  void close() {
    closed = true;
    for (var fetch : waiting) {
      fetch.drop();
    }
    waiting.clear();
    for (var run = resident.oldest(); run != null; run = resident.oldest()) {
      resident.remove(run);
    }
  }
}
