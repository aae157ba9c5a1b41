package io.peeklock.journal;

import io.peeklock.runtime.LargeBody;
import io.peeklock.runtime.ReadFault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bodies in files of their own: the bytes as they came, then a checksum for each piece of 256 KiB,
 * then the checksum of these, which the log repeats. Also removes segments, since that may take its
 * time as well.
 */
final class LargeFiles implements LargeStaging {
  static final String FOLDER = "large";

  /** Bytes that share one checksum. */
  static final int PIECE_BYTES = BlockPool.BLOCK_BYTES;

  private static final Logger LOG = LoggerFactory.getLogger(LargeFiles.class);
  private static final int CHECK_BYTES = 4;

  private final Disk disk;
  private final JournalExecutors executors;
  private final BlockPool pool;
  private final CommitNotifier outcome;
  private final StagingBudget onDisk;
  private final StagingBudget inMemory;
  private final DiskSpace space;
  private final LongSupplier fileIds;

  LargeFiles(
      Disk disk,
      JournalExecutors executors,
      BlockPool pool,
      CommitNotifier outcome,
      StagingBudget onDisk,
      StagingBudget inMemory,
      DiskSpace space,
      LongSupplier fileIds) {
    this.disk = disk;
    this.executors = executors;
    this.pool = pool;
    this.outcome = outcome;
    this.onDisk = onDisk;
    this.inMemory = inMemory;
    this.space = space;
    this.fileIds = fileIds;
  }

  static String nameOf(long fileId) {
    return FOLDER + "/" + plainNameOf(fileId);
  }

  private static String plainNameOf(long fileId) {
    return String.format(Locale.ROOT, "%016x.body", fileId);
  }

  @Override
  public LargeBody.Writer open(long maxBytes) {
    return new LargeWriter(this, disk, executors, pool, outcome, onDisk, inMemory, space, maxBytes);
  }

  @Override
  public long mostBytes() {
    return onDisk.boundBytes();
  }

  long nextFileId() {
    return fileIds.getAsLong();
  }

  /** One that the log names; it is held by the log. */
  FileLarge known(long fileId, long length, int tableCheck) {
    return new FileLarge(this, fileId, length, tableCheck, new int[0], false);
  }

  /** Bytes in flight came to rest. */
  void unstaged(long bytes) {
    onDisk.giveBack(bytes);
  }

  /**
   * All of the log was told, and the dead are forgotten: a living body has its file, and all of it.
   * What is in it is compared with its checksums when it is read.
   *
   * @param changes that a start would make, were it not for this
   */
  void refuseUnlessWhole(List<FileLarge> living, List<StoreChange> changes) throws IOException {
    if (living.isEmpty()) {
      return;
    }
    var sizes = disk.sizes(FOLDER);
    var bad = new TreeMap<String, String>();
    for (var body : living) {
      var size = sizes.get(plainNameOf(body.fileId()));
      var whole = fileBytes(body.length());
      if (size == null) {
        bad.put(nameOf(body.fileId()), "is missing");
      } else if (size != whole) {
        bad.put(nameOf(body.fileId()), "has " + size + " bytes instead of " + whole);
      }
    }
    if (!bad.isEmpty()) {
      throw MissingFilesException.ofLargeBodies(disk, bad, changes);
    }
  }

  /** Removes what no frame names: bodies that were arriving when the broker stopped. Blocks. */
  void keepOnly(Set<Long> fileIdsInLog) throws IOException {
    var removed = 0;
    for (var file : disk.list(FOLDER)) {
      var isKept = file.endsWith(".body") && fileIdsInLog.contains(idIn(file));
      if (!isKept) {
        disk.delete(FOLDER + "/" + file);
        removed++;
      }
    }
    if (removed > 0) {
      LOG.info("{} large bodies had not become part of the log; they are removed", removed);
    }
    disk.syncFolder(FOLDER);
  }

  private static long idIn(String file) {
    try {
      return Long.parseUnsignedLong(file.substring(0, file.indexOf('.')), 16);
    } catch (NumberFormatException foreign) {
      LOG.debug("{} is no large body", file, foreign);
      return 0;
    }
  }

  void remove(long fileId) {
    remove(nameOf(fileId), FOLDER);
  }

  /** Removes a segment's file. */
  void removeSegment(String name) {
    remove(name, "");
  }

  /** In order, each durable before the next goes, so that no gap can come back from a crash. */
  private void remove(String name, String folder) {
    executors.files(
        () -> {
          if (outcome.ended()) {
            return;
          }
          try {
            disk.delete(name);
            disk.syncFolder(folder);
          } catch (IOException failure) {
            outcome.failed(failure);
          } catch (RuntimeException | Error broken) {
            outcome.failed(new IOException(name + " could not be removed: " + broken, broken));
          }
        });
  }

  /** A pin for one reader, which is already counted. */
  LargeBody reader(FileLarge body) {
    return new Reader(body);
  }

  /** Bytes of a piece of a body. */
  static int bytesOf(int piece, long length) {
    return (int) Math.min(PIECE_BYTES, length - (long) piece * PIECE_BYTES);
  }

  static int piecesOf(long length) {
    return (int) ((length + PIECE_BYTES - 1) / PIECE_BYTES);
  }

  /** Bytes of the file of a body. */
  static long fileBytes(long length) {
    return length + (long) CHECK_BYTES * piecesOf(length);
  }

  /** The checksum of a piece, over its file, its place and its bytes. */
  static int checkOf(CRC32C check, long fileId, int piece, ByteBuffer bytes) {
    check.reset();
    BodyCheck.number(check, fileId);
    BodyCheck.number(check, piece);
    check.update(bytes);
    return (int) check.getValue();
  }

  /** The table of a file's checksums, as it is written behind the body. */
  static ByteBuffer tableOf(int[] checks, int count) {
    var table = ByteBuffer.allocateDirect(CHECK_BYTES * count).order(ByteOrder.LITTLE_ENDIAN);
    for (var i = 0; i < count; i++) {
      table.putInt(checks[i]);
    }
    return table.flip();
  }

  static int checkOfTable(ByteBuffer table) {
    var check = new CRC32C();
    check.update(table.duplicate());
    return (int) check.getValue();
  }

  /** Reads pieces on the reading thread. */
  private final class Reader implements LargeBody {
    private final FileLarge body;
    private final AtomicBoolean released = new AtomicBoolean();

    Reader(FileLarge body) {
      this.body = body;
    }

    @Override
    public long length() {
      return body.length();
    }

    @Override
    public void read(long position, int bytes, Executor reader, PieceListener whenRead) {
      if (position < 0 || position > body.length() || bytes < 0 || bytes > PIECE_BYTES) {
        throw new IllegalArgumentException("a piece is up to 256 KiB of the body");
      }
      body.retain();
      executors.reads(() -> readNow(position, bytes, reader, whenRead));
    }

    /** Whatever is thrown, whoever reads is told, and nothing stays taken. */
    private void readNow(long position, int bytes, Executor reader, PieceListener whenRead) {
      Block held = null;
      try {
        var block = pool.take(PIECE_BYTES);
        held = block;
        var view = block.bytes.duplicate();
        view.limit((int) Math.min(bytes, body.length() - position));
        fill(view, position);
        view.flip();
        reader.execute(() -> tell(view, block, whenRead));
        held = null;
      } catch (IOException cause) {
        reader.execute(() -> whenRead.failed(cause));
      } catch (RuntimeException | Error broken) {
        var cause = new ReadFault("a large body could not be read", broken);
        reader.execute(() -> whenRead.failed(cause));
      } finally {
        if (held != null) {
          held.release();
        }
        body.release();
      }
    }

    private void tell(ByteBuffer view, Block block, PieceListener whenRead) {
      try {
        whenRead.piece(view);
      } finally {
        block.release();
      }
    }

    private void fill(ByteBuffer into, long position) throws IOException {
      try (var file = disk.open(nameOf(body.fileId()))) {
        loadTable(file);
        var at = position;
        while (into.hasRemaining()) {
          var piece = (int) (at / PIECE_BYTES);
          var from = (int) (at % PIECE_BYTES);
          at += copy(file, piece, from, into);
        }
      }
    }

    /** A piece is verified whole, however little of it is wanted. */
    private int copy(DiskFile file, int piece, int from, ByteBuffer into) throws IOException {
      var block = pool.take(PIECE_BYTES);
      try {
        var view = block.bytes.duplicate();
        var bytes = bytesOf(piece, body.length());
        view.limit(bytes);
        file.read(view, (long) piece * PIECE_BYTES);
        var isWhole = view.position() == bytes;
        view.flip();
        if (!isWhole || checkOf(new CRC32C(), body.fileId(), piece, view) != body.checks[piece]) {
          throw damaged((long) piece * PIECE_BYTES);
        }
        var wanted = Math.min(into.remaining(), bytes - from);
        into.put(view.limit(from + wanted).position(from));
        return wanted;
      } finally {
        block.release();
      }
    }

    private void loadTable(DiskFile file) throws IOException {
      var pieces = piecesOf(body.length());
      if (body.checks.length == pieces) {
        return;
      }
      var length = body.length();
      if (length < 0 || file.size() != length + (long) CHECK_BYTES * pieces) {
        throw damaged(file.size());
      }
      var table = ByteBuffer.allocateDirect(CHECK_BYTES * pieces).order(ByteOrder.LITTLE_ENDIAN);
      file.read(table, length);
      var isWhole = !table.hasRemaining();
      table.flip();
      if (!isWhole || checkOfTable(table) != body.tableCheck()) {
        throw damaged(length);
      }
      var checks = new int[pieces];
      for (var i = 0; i < pieces; i++) {
        checks[i] = table.getInt();
      }
      body.checks = checks;
    }

    private IOException damaged(long offset) {
      return new IOException(
          disk.describe(nameOf(body.fileId()))
              + " is damaged at offset "
              + offset
              + ": a piece fails its checksum");
    }

    @Override
    public void release() {
      if (released.compareAndSet(false, true)) {
        body.release();
      }
    }
  }
}
