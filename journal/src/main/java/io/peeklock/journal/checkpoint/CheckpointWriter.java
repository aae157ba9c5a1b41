package io.peeklock.journal.checkpoint;

import io.peeklock.codec.FactCodec;
import io.peeklock.journal.JournalExecutors;
import io.peeklock.journal.bodies.BodyPlaces;
import io.peeklock.journal.bodies.BodyStore;
import io.peeklock.journal.disk.Disk;
import io.peeklock.journal.disk.DiskFile;
import io.peeklock.journal.disk.DiskSpace;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.runtime.Snapshots;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one checkpoint on the checkpoint's thread. The location of a body is looked up when its
 * message is added, on the shard's thread; so nothing is added before everything that the
 * checkpoint covers is durable and has its location.
 *
 * <p>A failure, which is any exception, ends the checkpoint but not the log. The outcome is
 * reported, so that another can begin.
 */
final class CheckpointWriter implements Snapshots.CheckpointSink {
  private static final Logger LOG = LoggerFactory.getLogger(CheckpointWriter.class);
  private static final int PARTS_IN_FLIGHT = 4;
  private static final int FACTS_IN_BLOCK = 16;
  private static final int LEAST_ROOM_BYTES = 1 << 20;
  private static final int PLACE_BYTES = Long.BYTES;
  private static final int LARGE_BYTES = Long.BYTES + Long.BYTES + Integer.BYTES;

  private final Disk disk;
  private final JournalExecutors executors;
  private final Executor shardExecutor;
  private final BodyStore bodies;
  private final DiskSpace space;
  private final long index;
  private final long ordinal;
  private final long salt;
  private final Runnable whenRoom;
  private final Outcome outcome;

  // The shard thread's.
  private int inFlight;
  private boolean waits;

  // The writing thread's.
  private @Nullable DiskFile file;
  private ByteBuffer block = ByteBuffer.allocate(0);
  private long blocks;
  private long bytes;
  private boolean broken;

  /** Called on the shard's thread when the checkpoint is complete or has failed. */
  interface Outcome {
    void ended(CheckpointWriter checkpoint, boolean counts);
  }

  CheckpointWriter(
      Disk disk,
      JournalExecutors executors,
      Executor shardExecutor,
      BodyStore bodies,
      DiskSpace space,
      long index,
      long ordinal,
      long salt,
      Runnable whenRoom,
      Outcome outcome) {
    this.disk = disk;
    this.executors = executors;
    this.shardExecutor = shardExecutor;
    this.bodies = bodies;
    this.space = space;
    this.index = index;
    this.ordinal = ordinal;
    this.salt = salt;
    this.whenRoom = whenRoom;
    this.outcome = outcome;
  }

  private static ByteBuffer room(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  long index() {
    return index;
  }

  /** The number of the checkpoint, which counts up. */
  long ordinal() {
    return ordinal;
  }

  /** Its size. */
  long bytes() {
    return bytes;
  }

  /** Begins the file, with the segments that exist now. */
  void begin() {
    var segments = bodies.segments().table();
    executors.checkpoints(() -> tried(() -> writeBeginning(segments)));
  }

  @Override
  public boolean hasRoom() {
    waits = bodies.settledIndex() < index || inFlight >= PARTS_IN_FLIGHT;
    return !waits;
  }

  /** Checks for room after batches became durable or a part was written. On the shard's thread. */
  void mayHaveRoom() {
    if (waits && hasRoom()) {
      whenRoom.run();
    }
  }

  @Override
  public void add(List<Fact> part) {
    for (var from = 0; from < part.size(); from += FACTS_IN_BLOCK) {
      var facts = part.subList(from, Math.min(part.size(), from + FACTS_IN_BLOCK));
      var places = bodies.places(facts);
      inFlight++;
      executors.checkpoints(
          () -> {
            tried(() -> writePart(facts, places));
            shardExecutor.execute(
                () -> {
                  inFlight--;
                  mayHaveRoom();
                });
          });
    }
  }

  @Override
  public void complete() {
    // All locations are looked up by now, so this table has every cold segment that they name.
    var cold = bodies.cold().table(ordinal);
    executors.checkpoints(
        () -> {
          tried(() -> writeEnd(cold));
          end();
        });
  }

  @Override
  public void abandon() {
    executors.checkpoints(
        () -> {
          broken = true;
          discard();
          end();
        });
  }

  // ---- the writing thread

  private interface Step {
    void run() throws IOException;
  }

  private void tried(Step step) {
    if (broken) {
      return;
    }
    try {
      step.run();
    } catch (IOException | RuntimeException | Error failed) {
      broken = true;
      LOG.warn("A checkpoint could not be written; the log goes on without: {}", what(failed));
      discard(); // at once: on a full disk others wait for its space
    }
  }

  private static String what(Throwable failed) {
    return failed instanceof IOException ? String.valueOf(failed.getMessage()) : failed.toString();
  }

  private void writeBeginning(long[] segments) throws IOException {
    var name = CheckpointFile.freshNameOf(index);
    disk.delete(name);
    var fresh = disk.create(name);
    file = fresh;
    write(fresh, CheckpointFile.head(index, salt));
    writeTable(segments, CheckpointFile.SEGMENTS);
  }

  private void writeTable(long[] numbers, int kind) throws IOException {
    beginBlock((long) numbers.length * Long.BYTES);
    for (var number : numbers) {
      block.putLong(number);
    }
    endBlock(kind);
  }

  private void writePart(List<Fact> facts, BodyPlaces places) throws IOException {
    beginBlock(
        FactCodec.bytes(facts)
            + 3L * Integer.BYTES
            + (long) places.at().length * PLACE_BYTES
            + (long) places.larges().size() * LARGE_BYTES);
    var start = block.position();
    block.putInt(0);
    FactCodec.encode(facts, block);
    block.putInt(start, block.position() - start - Integer.BYTES);
    block.putInt(places.at().length);
    for (var place : places.at()) {
      block.putLong(place);
    }
    block.putInt(places.larges().size());
    for (var large : places.larges()) {
      block.putLong(large.fileId()).putLong(large.length()).putInt(large.tableCheck());
    }
    endBlock(CheckpointFile.PART);
  }

  private void writeEnd(long[] cold) throws IOException {
    writeTable(cold, CheckpointFile.COLD);
    beginBlock(Long.BYTES);
    block.putLong(blocks);
    endBlock(CheckpointFile.END);
    var written = file;
    if (written == null) {
      throw new IOException("the checkpoint was never begun");
    }
    written.sync();
    written.close();
    file = null;
    disk.rename(CheckpointFile.freshNameOf(index), CheckpointFile.nameOf(index));
    disk.syncFolder("");
  }

  private void beginBlock(long payload) throws IOException {
    var bytes = CheckpointFile.FRONT_BYTES + payload;
    if (bytes > Integer.MAX_VALUE) {
      throw new IOException("a part of the checkpoint would have " + bytes + " bytes");
    }
    if (bytes > block.capacity()) {
      block = room(Math.max(LEAST_ROOM_BYTES, (int) bytes));
    }
    block.clear().position(CheckpointFile.FRONT_BYTES);
  }

  private void endBlock(int kind) throws IOException {
    block.flip();
    CheckpointFile.seal(block, kind, salt);
    blocks++;
    if (file != null) {
      write(file, block);
    }
  }

  private void write(DiskFile to, ByteBuffer piece) throws IOException {
    space.takeForCheckpoint(bytes, piece.remaining());
    bytes += piece.remaining();
    to.append(new ByteBuffer[] {piece}, 1);
  }

  private void end() {
    var counts = !broken;
    shardExecutor.execute(() -> outcome.ended(this, counts));
  }

  private void discard() {
    try {
      if (file != null) {
        file.close();
      }
      disk.delete(CheckpointFile.freshNameOf(index));
      disk.delete(CheckpointFile.nameOf(index)); // its name may not be durable
    } catch (IOException | RuntimeException | Error left) {
      LOG.warn("An unfinished checkpoint is left behind: {}", what(left));
    }
    file = null;
  }
}
