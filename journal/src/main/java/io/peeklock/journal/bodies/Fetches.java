package io.peeklock.journal.bodies;

import io.peeklock.journal.blocks.BlockPool;
import io.peeklock.journal.blocks.BodyRun;
import io.peeklock.journal.blocks.ResidentBodies;
import io.peeklock.journal.segment.BodyFile;
import io.peeklock.journal.segment.BodyLocations;
import io.peeklock.journal.segment.ColdSegment;
import io.peeklock.journal.segment.Segment;
import io.peeklock.journal.segment.Segments;
import io.peeklock.kernel.Invariant;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.BodyStorage;
import io.peeklock.runtime.ReadFault;
import io.peeklock.runtime.thread.ShardThread;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers fetches from memory, or from files with one read at a time. Bodies of a fetch are pinned,
 * so that they stay readable even if they die or are moved meanwhile.
 */
@ShardThread
public final class Fetches {
  private static final Logger LOG = LoggerFactory.getLogger(Fetches.class);

  /** The number of dead bodies in a row that ends a read, as the next body is not near. */
  private static final int LONGEST_GAP = 256;

  private final BodyStore bodies;
  private final BodyLocations locations;
  private final ResidentBodies resident;
  private final Segments segments;
  private final Executor shardExecutor;
  private final ColdReads coldReads;
  private final ArrayDeque<Fetch> waiting = new ArrayDeque<>();
  private final BodyReadAhead ahead;

  /** Whether a read is in progress, or {@link #readNext} is about to begin one. */
  private boolean reading;

  private boolean closed;

  public Fetches(
      BodyStore bodies, Executor shardExecutor, ColdReads coldReads, long residentBytes) {
    this.bodies = bodies;
    this.locations = bodies.locations();
    this.resident = bodies.resident();
    this.segments = bodies.segments();
    this.shardExecutor = shardExecutor;
    this.coldReads = coldReads;
    this.ahead = new BodyReadAhead(residentBytes);
  }

  /** See {@link BodyStorage#fetch}. */
  public @Nullable Bodies fetch(long[] bodyIds, BodyStorage.LoadListener whenLoaded) {
    var fetch = new Fetch(bodyIds, whenLoaded);
    var done = false;
    try {
      fetch.gather(resident);
      if (!fetch.complete()) {
        pin(fetch, bodyIds);
        fetch.gather(resident);
      }
      if (!fetch.complete()) {
        await(fetch);
      } else {
        unpin(fetch);
      }
      done = true;
    } finally {
      if (!done) {
        end(fetch);
        fetch.drop();
      }
    }
    return fetch.complete() ? fetch : null;
  }

  private void await(Fetch fetch) {
    waiting.add(fetch);
    if (!reading) {
      reading = true;
      var asked = false;
      try {
        shardExecutor.execute(this::readNext);
        asked = true;
      } finally {
        reading &= asked;
      }
    }
  }

  /**
   * Pins the files of a fetch, so that its bodies stay readable even if they die while it waits. A
   * body without a location is not durable yet, and so in memory.
   */
  private void pin(Fetch fetch, long[] bodyIds) {
    var kept = new long[bodyIds.length];
    BodyFile last = null;
    for (var i = fetch.found(); i < bodyIds.length; i++) {
      kept[i] = locations.get(bodyIds[i]);
      if (kept[i] == BodyLocations.NONE) {
        fetch.pin(i, resident);
        continue;
      }
      if (kept[i] == BodyLocations.LARGE) {
        fetch.pin(
            i, Invariant.present(bodies.large(bodyIds[i]), "a large body that lives is known"));
        continue;
      }
      var file = bodies.fileOf(bodyIds[i], kept[i]);
      if (file != null && !file.equals(last)) {
        file.pins++;
        fetch.pinned.add(file);
        last = file;
      }
    }
    fetch.locations = kept;
  }

  private static void unpin(Fetch fetch) {
    for (var file : fetch.pinned) {
      file.pins--;
    }
    fetch.pinned.clear();
  }

  /** Answers the fetches that are complete, and begins a read for the first that is not. */
  private void readNext() {
    if (closed) {
      return;
    }
    reading = false;
    for (var fetch = waiting.peek(); fetch != null && !reading; fetch = waiting.peek()) {
      try {
        serve(fetch);
      } catch (RuntimeException | Error broken) {
        fail(fetch, new IOException(broken));
      }
    }
    if (!reading) {
      bodies.removeFiles();
    }
  }

  /** Answers a fetch, or begins to read for it. */
  private void serve(Fetch fetch) {
    fetch.gather(resident);
    if (fetch.complete()) {
      answer(fetch);
      return;
    }
    var bodyId = fetch.idAt(fetch.found());
    var location = fetch.missingLocation();
    if (location == BodyLocations.NONE) {
      fail(fetch, new IOException("the log has no body " + bodyId));
      return;
    }
    var file = bodies.fileOf(bodyId, location);
    if (file == null) {
      fail(fetch, new IOException("the segment of body " + bodyId + " is gone"));
      return;
    }
    ahead.missed(bodyId);
    read(new Reading(fetch, file, bodyId), location);
  }

  /**
   * Reads ahead after the last read when no fetch waits, if the next bodies are likely to be
   * fetched.
   */
  private void readAhead() {
    var bodyId = nextLiving(ahead.next());
    var location = locations.get(bodyId);
    var file = isInFile(location) ? bodies.fileOf(bodyId, location) : null;
    if (file == null || resident.find(bodyId) != null) {
      ahead.end();
      return;
    }
    try {
      read(new Reading(null, file, bodyId), location);
    } catch (RuntimeException | Error broken) {
      LOG.warn("Nothing is read ahead", broken); // it was only read-ahead
      ahead.end();
    }
  }

  /** Begins a read; none is in progress when this throws. */
  private void read(Reading begun, long location) {
    coldReads.read(plan(begun.file, begun.bodyId, location), begun);
    begun.file.pins++;
    reading = true;
  }

  /** The one read in progress. However it ends, the next begins. */
  private final class Reading implements ColdReads.Reader {
    private final @Nullable Fetch fetch;
    private final BodyFile file;
    private final long bodyId;

    /**
     * Begins nothing yet.
     *
     * @param fetch the fetch that waits for it; null for read-ahead
     */
    Reading(@Nullable Fetch fetch, BodyFile file, long bodyId) {
      this.fetch = fetch;
      this.file = file;
      this.bodyId = bodyId;
    }

    @Override
    public void read(BodyRun run) {
      shardExecutor.execute(() -> loaded(run));
    }

    @Override
    public void failed(IOException cause) {
      shardExecutor.execute(() -> unreadable(cause));
    }

    private void loaded(BodyRun run) {
      if (closed) {
        run.releaseBlocks();
        return;
      }
      try {
        resident.add(run);
      } catch (RuntimeException | Error broken) {
        if (!run.resident) {
          run.releaseBlocks();
        }
        unreadable(new ReadFault("what was read could not be kept", broken));
        return;
      }
      file.pins--;
      ahead.read(run.firstBodyId() + run.count());
      readNext();
      if (!reading && ahead.isWanted()) {
        readAhead();
      }
      bodies.evict();
    }

    private void unreadable(IOException cause) {
      if (closed) {
        return;
      }
      file.pins--;
      if (fetch == null) {
        // A fetch of the body itself gets the error; this was only read-ahead.
        ahead.end();
      } else if (waiting.peek() == fetch) {
        failOn(fetch, bodyId, cause);
      }
      readNext();
    }
  }

  private static boolean isInFile(long location) {
    return location != BodyLocations.NONE && location != BodyLocations.LARGE;
  }

  private long nextLiving(long bodyId) {
    var next = bodyId;
    while (next < bodyId + LONGEST_GAP && locations.get(next) == BodyLocations.NONE) {
      next++;
    }
    return next;
  }

  /**
   * The body and those that follow it in its file, up to a full block or to the next resident body.
   * Neighbours may be in other files, as some were moved.
   */
  private ColdReads.Plan plan(BodyFile file, long bodyId, long location) {
    var until = Math.min(endOf(file), resident.nextRunAfter(bodyId));
    var gap = 0;
    var end = BodyLocations.end(location);
    var bound = BodyLocations.offset(location) + BlockPool.BLOCK_BYTES;
    var planned = new long[64];
    planned[0] = location;
    var count = 1;
    for (var next = bodyId + 1; next < until && gap < LONGEST_GAP; next++) {
      var at = placeBehind(end, file, next);
      if (at != BodyLocations.NONE && BodyLocations.end(at) > bound) {
        break;
      }
      gap = at == BodyLocations.NONE ? gap + 1 : 0;
      var place = (int) (next - bodyId);
      if (place >= planned.length) {
        planned = Arrays.copyOf(planned, 2 * place);
      }
      planned[place] = at;
      if (at != BodyLocations.NONE) {
        count = place + 1;
        end = BodyLocations.end(at);
      }
    }
    return new ColdReads.Plan(file, bodyId, Arrays.copyOf(planned, count));
  }

  private long endOf(BodyFile file) {
    return file instanceof Segment segment ? segments.endOf(segment) : Long.MAX_VALUE;
  }

  /** The location of a body that is in this file from an offset on; NONE for any other. */
  private long placeBehind(long offset, BodyFile file, long bodyId) {
    var at = locations.get(bodyId);
    var isThere =
        isInFile(at)
            && BodyLocations.offset(at) >= offset
            && (file instanceof ColdSegment cold
                ? BodyLocations.isCold(at) && BodyLocations.slot(at) == cold.slot
                : !BodyLocations.isCold(at));
    return isThere ? at : BodyLocations.NONE;
  }

  /**
   * Answers a fetch. A listener that throws may have passed the bodies on already, so they are not
   * released here; the fetches behind it must continue.
   */
  private void answer(Fetch fetch) {
    end(fetch);
    try {
      fetch.listener.loaded(fetch);
    } catch (RuntimeException | Error broken) {
      LOG.error("Who asked for bodies could not take them", broken);
    }
  }

  private void fail(Fetch fetch, IOException cause) {
    failOn(fetch, fetch.idAt(fetch.found()), cause);
  }

  private void failOn(Fetch fetch, long bodyId, IOException cause) {
    end(fetch);
    try {
      fetch.drop();
      fetch.listener.unreadable(bodyId, cause);
    } catch (RuntimeException | Error broken) {
      LOG.error("Who asked for body {} could not be told that it cannot be read", bodyId, broken);
    }
  }

  private void end(Fetch fetch) {
    waiting.remove(fetch);
    unpin(fetch);
  }

  /** Stops answering. */
  public void close() {
    closed = true;
    for (var fetch : waiting) {
      fetch.drop();
    }
    waiting.clear();
  }
}
