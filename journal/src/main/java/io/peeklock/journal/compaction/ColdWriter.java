package io.peeklock.journal.compaction;

import io.peeklock.journal.JournalExecutors;
import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.blocks.BodyCheck;
import io.peeklock.journal.blocks.BodyRun;
import io.peeklock.journal.disk.Disk;
import io.peeklock.journal.disk.DiskFile;
import io.peeklock.journal.log.ColdHead;
import io.peeklock.journal.segment.BodyFile;
import io.peeklock.journal.segment.BodyLocations;
import io.peeklock.journal.segment.ColdSegment;
import io.peeklock.runtime.BodyArena;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies bodies into one new cold segment, piece by piece at a limited rate. Each body is verified
 * before it is copied. The file gets its name once it is synced, and only then it is reported; so a
 * failure costs only the copies. Runs on the compaction's thread.
 */
final class ColdWriter {
  private static final Logger LOG = LoggerFactory.getLogger(ColdWriter.class);
  private static final int PIECE_BYTES = BodyArena.LARGE_BODY_BYTES + BodyRun.CHECK_BYTES;
  private static final int PIECE_BODIES = 512;

  /** A gap between two bodies is read too if it is no larger than this. */
  private static final int NEAR_BYTES = 4096;

  private static final long SHORTEST_PAUSE_MILLIS = 5;

  private final Disk disk;
  private final JournalExecutors executors;
  private final ColdSegment target;
  private final Work work;
  private final JournalSettings settings;
  private final Consumer<@Nullable IOException> whenEnded;
  private final CRC32C check = new CRC32C();
  private ByteBuffer room = ByteBuffer.allocate(0);
  private final ByteBuffer[] pieces = new ByteBuffer[PIECE_BODIES];
  private final @Nullable DiskFile[] sources;
  private @Nullable DiskFile file;
  private int next;
  private long position = ColdHead.BYTES;
  private long pacedBytes;
  private boolean ended;

  /**
   * The bodies to copy, in order of id.
   *
   * @param from the location of each now
   * @param source the index in {@code files} of its file
   * @param to its location in the new file, filled in here; NONE for a body that was not copied
   * @param isDamaged of each file, whether one of its bodies could not be copied; filled in here
   */
  record Work(
      BodyFile[] files,
      int count,
      long[] ids,
      long[] from,
      byte[] source,
      long[] to,
      boolean[] isDamaged) {
    static Work of(BodyFile[] files, int count, long[] ids, long[] from, byte[] source) {
      return new Work(files, count, ids, from, source, new long[count], new boolean[files.length]);
    }
  }

  /**
   * Begins nothing yet.
   *
   * @param whenEnded called on this thread at the end; null when the file is complete and durable
   */
  ColdWriter(
      Disk disk,
      JournalExecutors executors,
      JournalSettings settings,
      ColdSegment target,
      Work work,
      Consumer<@Nullable IOException> whenEnded) {
    this.disk = disk;
    this.executors = executors;
    this.settings = settings;
    this.target = target;
    this.work = work;
    this.whenEnded = whenEnded;
    this.sources = new DiskFile[work.files.length];
  }

  /** Any thread. */
  void start() {
    executors.compaction(() -> tried(this::begin));
  }

  /** Stops; any thread may call it. An unfinished file is removed at the next start. */
  void stop() {
    executors.compaction(
        () -> {
          ended = true;
          closeAll();
        });
  }

  private interface Step {
    void run() throws IOException;
  }

  private void tried(Step step) {
    if (ended) {
      return;
    }
    try {
      step.run();
    } catch (IOException failure) {
      discard();
      end(failure);
    } catch (RuntimeException | Error broken) {
      discard();
      end(new IOException(broken.toString(), broken));
    }
  }

  private void begin() throws IOException {
    var needed = Arrays.stream(work.from, 0, work.count).map(BodyLocations::bytes).sum();
    if (disk.freeBytes() - needed < settings.reserveBytes() / 2) {
      throw new IOException("less than half the reserve would be left on the disk");
    }
    room = ByteBuffer.allocateDirect(PIECE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    var name = ColdSegment.freshNameOf(target.number);
    disk.delete(name);
    var fresh = disk.create(name);
    file = fresh;
    var head = new ColdHead(target.number, target.salt);
    fresh.append(new ByteBuffer[] {head.bytes()}, 1);
    copyOn();
  }

  private void copyOn() throws IOException {
    while (next < work.count) {
      var place = work.source[next];
      if (work.isDamaged[place]) {
        next++;
        continue;
      }
      var read = copyPiece(place);
      if (pause(read)) {
        return;
      }
    }
    finish();
  }

  /** Pauses if the rate requires it; true when it continues later. */
  private boolean pause(long bytes) {
    pacedBytes += bytes;
    var millis = pacedBytes * 1_000 / settings.compactionBytesPerSecond();
    if (millis < SHORTEST_PAUSE_MILLIS) {
      return false;
    }
    pacedBytes = 0;
    executors.compactionLater(millis, () -> tried(this::copyOn));
    return true;
  }

  /** Copies the next body and those near behind it, and returns the bytes read. */
  private long copyPiece(int place) throws IOException {
    var first = next;
    var from = BodyLocations.offset(work.from[first]);
    var end = BodyLocations.end(work.from[first]);
    var last = first + 1;
    while (last < work.count && last - first < PIECE_BODIES && isNear(last, place, from, end)) {
      end = BodyLocations.end(work.from[last++]);
    }
    next = last;
    var read = read(place, from, (int) (end - from));
    var count = 0;
    for (var i = first; i < last; i++) {
      var location = work.from[i];
      var start = (int) (BodyLocations.offset(location) - from);
      if (!isWhole(work.ids[i], start, BodyLocations.length(location), read)) {
        giveUp(place, "body " + work.ids[i] + " at offset " + (from + start) + " is damaged");
        break;
      }
      work.to[i] = BodyLocations.cold(target.slot, position, BodyLocations.length(location));
      pieces[count++] = room.slice(start, BodyLocations.bytes(location));
      position += BodyLocations.bytes(location);
    }
    if (count > 0 && file != null) {
      file.append(pieces, count);
    }
    Arrays.fill(pieces, null);
    return end - from;
  }

  private boolean isNear(int i, int place, long from, long end) {
    var offset = BodyLocations.offset(work.from[i]);
    return work.source[i] == place
        && offset >= end
        && offset - end <= NEAR_BYTES
        && BodyLocations.end(work.from[i]) - from <= PIECE_BYTES;
  }

  /** Reads bytes, and returns how many could be read. */
  private int read(int place, long from, int bytes) {
    room.clear().limit(bytes);
    try {
      var source = sources[place];
      if (source == null) {
        source = disk.open(work.files[place].name);
        sources[place] = source;
      }
      source.read(room, from);
    } catch (IOException unreadable) {
      giveUp(place, "it cannot be read at offset " + from + ": " + unreadable.getMessage());
      return 0;
    }
    var read = room.position();
    room.clear();
    return read;
  }

  private boolean isWhole(long bodyId, int start, int length, int read) {
    var end = start + BodyRun.CHECK_BYTES + length;
    if (end > read) {
      return false;
    }
    room.limit(end).position(start + BodyRun.CHECK_BYTES);
    var right = BodyCheck.of(check, bodyId, room) == room.getInt(start);
    room.clear();
    return right;
  }

  /** Neither copies nor drops a body: readers of it get the error, and its file stays. */
  private void giveUp(int place, String why) {
    if (!work.isDamaged[place]) {
      work.isDamaged[place] = true;
      LOG.warn(
          "{} is kept as it is and not compacted: {}", disk.describe(work.files[place].name), why);
    }
  }

  private void finish() throws IOException {
    var written = file;
    if (written == null) {
      throw new IOException("the cold segment was never begun");
    }
    written.sync();
    closeAll();
    disk.rename(ColdSegment.freshNameOf(target.number), target.name);
    disk.syncFolder("");
    target.bytes = position;
    end(null);
  }

  private void end(@Nullable IOException failure) {
    ended = true;
    closeAll();
    whenEnded.accept(failure);
  }

  private void discard() {
    closeAll();
    try {
      disk.delete(ColdSegment.freshNameOf(target.number));
      disk.delete(target.name);
    } catch (IOException | RuntimeException | Error left) {
      LOG.warn("An unfinished cold segment is left behind: {}", left.toString());
    }
  }

  private void closeAll() {
    close(file);
    file = null;
    for (var i = 0; i < sources.length; i++) {
      close(sources[i]);
      sources[i] = null;
    }
  }

  private static void close(@Nullable DiskFile open) {
    try {
      if (open != null) {
        open.close();
      }
    } catch (IOException | RuntimeException | Error harmless) {
      LOG.warn("A file that is not needed could not be closed: {}", harmless.toString());
    }
  }
}
