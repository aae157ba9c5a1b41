package io.peeklock.journal.bodies;

import io.peeklock.journal.JournalExecutors;
import io.peeklock.journal.blocks.Block;
import io.peeklock.journal.blocks.BlockPool;
import io.peeklock.journal.blocks.BodyCheck;
import io.peeklock.journal.blocks.BodyRun;
import io.peeklock.journal.disk.Disk;
import io.peeklock.journal.disk.DiskFile;
import io.peeklock.journal.segment.BodyFile;
import io.peeklock.journal.segment.BodyLocations;
import io.peeklock.runtime.ReadFault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads bodies back from files, up to a block at once, and verifies each before it is handed out.
 * Runs on the reading thread, unless said otherwise.
 */
public final class ColdReads {
  private static final Logger LOG = LoggerFactory.getLogger(ColdReads.class);
  private static final int OPEN_FILES = 16;

  private final Disk disk;
  private final JournalExecutors executors;
  private final BlockPool pool;
  private final CRC32C check = new CRC32C();
  private final LinkedHashMap<String, DiskFile> files = new LinkedHashMap<>(32, 0.75f, true);

  /** Reads from this disk into blocks of this pool. */
  public ColdReads(Disk disk, JournalExecutors executors, BlockPool pool) {
    this.disk = disk;
    this.executors = executors;
    this.pool = pool;
  }

  /**
   * What to read.
   *
   * @param locations the locations of the bodies from the first id on; {@link BodyLocations#NONE}
   *     for an id without a body in the file
   */
  record Plan(BodyFile file, long firstBodyId, long[] locations) {
    long from() {
      return BodyLocations.offset(locations[0]);
    }

    int bytes() {
      var last = locations[locations.length - 1];
      return (int)
          (BodyLocations.offset(last) + BodyRun.CHECK_BYTES + BodyLocations.length(last) - from());
    }
  }

  /** Receives a read, on the reading thread. */
  interface Reader {
    /** A run with at least the first body. If this throws the run was not taken. */
    void read(BodyRun run);

    /** The first body could not be read, or is damaged. */
    void failed(IOException cause);
  }

  /** Reads a plan. Any thread. */
  void read(Plan plan, Reader reader) {
    executors.reads(
        () -> {
          BodyRun run;
          try {
            run = read(plan);
          } catch (IOException cause) {
            fail(reader, cause);
            return;
          } catch (RuntimeException | Error broken) {
            // Memory may be short here. The failure must be reported, or no read would ever begin
            // again.
            fail(reader, new ReadFault(where(plan, plan.from()), broken));
            return;
          }
          give(run, reader);
        });
  }

  private static void give(BodyRun run, Reader reader) {
    try {
      reader.read(run);
    } catch (RuntimeException | Error broken) {
      run.releaseBlocks();
      fail(reader, new ReadFault("what was read could not be handed over", broken));
    }
  }

  /** Reports a failure, and tries again if that throws: memory may be available again. */
  private static void fail(Reader reader, IOException cause) {
    try {
      reader.failed(cause);
    } catch (RuntimeException | Error broken) {
      LOG.warn("That a read failed could not be told at first", broken);
      reader.failed(cause);
    }
  }

  /** Closes a file that was removed. Any thread. */
  void forget(String name) {
    executors.reads(
        () -> {
          var file = files.remove(name);
          if (file != null) {
            close(file);
          }
        });
  }

  /** Closes all files. Any thread. */
  public void close() {
    executors.reads(
        () -> {
          files.values().forEach(ColdReads::close);
          files.clear();
        });
  }

  private static void close(DiskFile file) {
    try {
      file.close();
    } catch (IOException harmless) {
      LOG.warn("A file that was only read could not be closed: {}", harmless.getMessage());
    }
  }

  private BodyRun read(Plan plan) throws IOException {
    var bytes = plan.bytes();
    var block = pool.take(bytes);
    var done = false;
    try {
      var view = block.bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
      view.limit(bytes);
      try {
        file(plan.file().name).read(view, plan.from());
      } catch (IOException cause) {
        throw new IOException(where(plan, plan.from()) + " cannot be read: " + cause, cause);
      }
      var run = verify(plan, block, view);
      done = true;
      return run;
    } finally {
      if (!done) {
        block.release();
      }
    }
  }

  private DiskFile file(String name) throws IOException {
    var known = files.get(name);
    if (known == null) {
      known = disk.open(name);
      files.put(name, known);
      if (files.size() > OPEN_FILES) {
        var eldest = files.entrySet().iterator().next();
        files.remove(eldest.getKey());
        close(eldest.getValue());
      }
    }
    return known;
  }

  private BodyRun verify(Plan plan, Block block, ByteBuffer view) throws IOException {
    var count = plan.locations().length;
    var starts = new int[count];
    var lengths = new int[count];
    Arrays.fill(lengths, BodyRun.ABSENT);
    var read = view.position();
    for (var i = 0; i < count; i++) {
      var location = plan.locations()[i];
      if (location == BodyLocations.NONE) {
        continue;
      }
      var start = (int) (BodyLocations.offset(location) - plan.from());
      var length = BodyLocations.length(location);
      var end = start + BodyRun.CHECK_BYTES + length;
      if (end <= read && isWhole(plan.firstBodyId() + i, view, start, length)) {
        starts[i] = start;
        lengths[i] = length;
      } else if (i == 0) {
        throw new IOException(
            where(plan, plan.from()) + (end > read ? " is cut off" : " fails its checksum"));
      }
    }
    var run = new BodyRun(new Block[] {block}, new int[] {0}, starts, lengths, null, null, 0);
    run.appended(plan.firstBodyId(), 0);
    return run;
  }

  private boolean isWhole(long bodyId, ByteBuffer view, int start, int length) {
    view.limit(start + BodyRun.CHECK_BYTES + length).position(start + BodyRun.CHECK_BYTES);
    var right = BodyCheck.of(check, bodyId, view) == view.getInt(start);
    view.clear();
    return right;
  }

  private String where(Plan plan, long offset) {
    return "body "
        + plan.firstBodyId()
        + " in "
        + disk.describe(plan.file().name)
        + " at offset "
        + offset;
  }
}
