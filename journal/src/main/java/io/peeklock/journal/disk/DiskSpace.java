package io.peeklock.journal.disk;

import io.peeklock.journal.CommitNotifier;
import io.peeklock.journal.JournalExecutors;
import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.StoreGoneException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The free space on the disk. Sends are refused while there is less than the reserve, so that
 * settlements, which write little and free space, still work. A part of the reserve is held as a
 * file, the ballast: when other programs use up even the reserve, it is removed, and its space is
 * used by the log.
 *
 * <p>Queries and {@link #take} may be called from any thread. The ballast grows on the files'
 * thread; the rest runs on the log's thread, and before a recovery on the shard's.
 */
public final class DiskSpace {
  public static final String BALLAST = "ballast";

  private static final Logger LOG = LoggerFactory.getLogger(DiskSpace.class);
  private static final long IDLE_MILLIS = 1_000;
  private static final long BUSY_NANOS = 100_000_000;
  private static final int PIECE_BYTES = 256 * 1024;

  private final Disk disk;
  private final JournalExecutors executors;
  private final CommitNotifier outcome;
  private final long reserveBytes;
  private final long ballastBytes;

  /** The bytes that may be written until the next check. */
  private final AtomicLong room = new AtomicLong();

  private volatile boolean takesSends = true;
  private volatile boolean last;
  private volatile long freeBytes;
  private volatile Ballast ballast = Ballast.NONE;

  /** The size of the ballast. */
  private volatile long grownBytes;

  private long lookedNanos;
  private @Nullable ByteBuffer noise;

  /** The log's thread changes NONE and WHOLE, the files' thread changes GROWING. */
  private enum Ballast {
    NONE,
    GROWING,
    WHOLE
  }

  /** Reads the free space of this disk; {@link #begin} and {@link #watch} start it. */
  public DiskSpace(
      Disk disk, JournalExecutors executors, CommitNotifier outcome, JournalSettings settings) {
    this.disk = disk;
    this.executors = executors;
    this.outcome = outcome;
    this.reserveBytes = settings.reserveBytes();
    this.ballastBytes = settings.ballastBytes();
  }

  public boolean takesSends() {
    return takesSends;
  }

  /** Whether only about the ballast's space is left, for requests that free space. */
  public boolean isLast() {
    return last;
  }

  /** Reserves bytes for a body that is not in the log yet; false when it must be refused. */
  public boolean take(long bytes) {
    return takesSends && room.addAndGet(-bytes) >= 0;
  }

  /** The free bytes at the last check, without the ballast. */
  public long freeBytes() {
    return freeBytes;
  }

  /**
   * Reserves bytes of a checkpoint before they are written. It may use the reserve, as it can be
   * the only way to free segments; but it never takes more than it leaves, as settlements must
   * still be possible.
   *
   * @param written what the checkpoint has taken so far
   * @throws IOException when the checkpoint must stop
   */
  public void takeForCheckpoint(long written, long bytes) throws IOException {
    var free = disk.freeBytes();
    if (free - bytes < written + bytes) {
      throw new IOException(
          "it has taken " + written + " bytes, and no more than " + free + " are left");
    }
    room.addAndGet(-bytes);
  }

  /** Finds the ballast of an earlier start, and removes one of another size. */
  public void begin() throws IOException {
    if (disk.exists(BALLAST)) {
      long size;
      try (var file = disk.open(BALLAST)) {
        size = file.size();
      }
      if (size == ballastBytes) {
        grownBytes = size;
        ballast = Ballast.WHOLE;
      } else {
        remove();
      }
    }
  }

  /**
   * Checks the space now, before the first append, as a broker must start on a full disk too; and
   * from now on regularly, even without writes.
   */
  public void watch() throws IOException {
    look(0);
    executors.logLater(IDLE_MILLIS, this::watchOn);
  }

  private void watchOn() {
    if (outcome.ended()) {
      return;
    }
    try {
      watch();
      growIfMissing();
    } catch (IOException failure) {
      outcome.failed(failure);
    } catch (RuntimeException | Error broken) {
      outcome.failed(new IOException("the room on the disk is not known: " + broken, broken));
    }
  }

  /**
   * Checks the space before a write, which may follow a pause in which other programs took it, so
   * that the ballast is given up in time.
   *
   * @param pendingBytes what is decided and not yet written
   */
  public void beforeWrite(long pendingBytes) throws IOException {
    if (executors.nanoTime() - lookedNanos >= BUSY_NANOS) {
      look(pendingBytes);
    }
  }

  /** Whether this much was free at the last check, for writes that can wait. */
  public boolean hasRoomFor(long bytes) {
    return freeBytes >= bytes;
  }

  /**
   * Something was written.
   *
   * @param pendingBytes what is decided and not yet written
   */
  public void wrote(long bytes, long pendingBytes) throws IOException {
    if (room.addAndGet(-bytes) < 0 || executors.nanoTime() - lookedNanos >= BUSY_NANOS) {
      look(pendingBytes);
    }
  }

  private void look(long pendingBytes) throws IOException {
    if (!disk.exists(Disk.FORMAT_FILE)) {
      throw new StoreGoneException(disk.describe(Disk.FORMAT_FILE), null);
    }
    lookedNanos = executors.nanoTime();
    if (ballast == Ballast.WHOLE && disk.freeBytes() < ballastBytes) {
      giveUp();
    }
    var free = disk.freeBytes();
    freeBytes = free;
    var left = free - (reserveBytes - grownBytes) - pendingBytes;
    room.set(left);
    // Ends at another value than it began, or it would begin and end all the time.
    var enough = left >= (takesSends ? 0 : ballastBytes);
    noteWhetherLast(!enough && ballast == Ballast.NONE && free - pendingBytes < 2 * ballastBytes);
    if (enough != takesSends) {
      takesSends = enough;
      LOG.warn(
          enough
              ? "Sends are taken again: {} bytes are free beside {} of ballast, the reserve is {}"
              : "Sends are refused until there is room: {} bytes are free beside {} of ballast, the"
                  + " reserve is {}",
          free,
          grownBytes,
          reserveBytes);
    }
  }

  private void noteWhetherLast(boolean isLast) {
    if (isLast && !last) {
      LOG.warn(
          "Abandoned, deferred and dead-lettered messages are refused too until there is room, or"
              + " others would have none to complete theirs");
    }
    last = isLast;
  }

  private void giveUp() throws IOException {
    remove();
    ballast = Ballast.NONE;
    LOG.warn(
        "{} is given up, so that settlements can go on: less than {} bytes were free",
        disk.describe(BALLAST),
        ballastBytes);
  }

  private void remove() throws IOException {
    disk.delete(BALLAST);
    disk.syncFolder("");
    grownBytes = 0;
  }

  /** Grows the ballast later than at the start, when its writes would delay the first sends. */
  private void growIfMissing() {
    if (takesSends && ballast == Ballast.NONE && ballastBytes > 0) {
      ballast = Ballast.GROWING;
      executors.files(this::grow);
    }
  }

  /** Grows the ballast piece by piece, so that large bodies need not wait. */
  private void grow() {
    if (outcome.ended()) {
      return;
    }
    try {
      if (!takesSends || !growPiece()) {
        remove();
        noise = null;
        ballast = Ballast.NONE;
      } else if (grownBytes < ballastBytes) {
        executors.files(this::grow);
      } else {
        disk.syncFolder("");
        noise = null;
        ballast = Ballast.WHOLE;
        LOG.debug("{} is there", disk.describe(BALLAST));
      }
    } catch (IOException failure) {
      outcome.failed(failure);
    } catch (RuntimeException | Error broken) {
      LOG.warn("{} could not be written and is tried again", disk.describe(BALLAST), broken);
      grownBytes = 0;
      noise = null;
      ballast = Ballast.NONE;
    }
  }

  /** Writes one piece; false when its space is gone meanwhile, which is no failure. */
  private boolean growPiece() throws IOException {
    var grown = grownBytes;
    if (grown == 0) {
      disk.delete(BALLAST); // of a broken attempt
    }
    var piece = piece();
    piece.limit((int) Math.min(PIECE_BYTES, ballastBytes - grown));
    var bytes = piece.remaining();
    try (var file = grown == 0 ? disk.create(BALLAST) : disk.open(BALLAST)) {
      try {
        file.append(new ByteBuffer[] {piece}, 1);
      } catch (IOException failure) {
        if (disk.freeBytes() < reserveBytes - grown) {
          return false;
        }
        throw failure;
      }
      if (grown + bytes == ballastBytes) {
        file.sync();
      }
    }
    grownBytes = grown + bytes;
    return true;
  }

  /** Random bytes, as a compressing file system would reserve no space for zeros. */
  private ByteBuffer piece() {
    var known = noise;
    if (known == null) {
      var bytes = new byte[PIECE_BYTES];
      new Random(reserveBytes).nextBytes(bytes);
      known = ByteBuffer.allocateDirect(PIECE_BYTES).put(bytes);
      noise = known;
    }
    return known.clear();
  }
}
