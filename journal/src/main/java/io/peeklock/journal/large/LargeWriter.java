package io.peeklock.journal.large;

import io.peeklock.journal.CommitNotifier;
import io.peeklock.journal.JournalExecutors;
import io.peeklock.journal.blocks.Block;
import io.peeklock.journal.blocks.BlockPool;
import io.peeklock.journal.blocks.OpenPiece;
import io.peeklock.journal.blocks.SlowBody;
import io.peeklock.journal.blocks.StagingBudget;
import io.peeklock.journal.disk.Disk;
import io.peeklock.journal.disk.DiskFile;
import io.peeklock.journal.disk.DiskSpace;
import io.peeklock.runtime.LargeBody;
import io.peeklock.runtime.intake.PieceOwner;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one large body as it arrives. The event loop fills pieces; the files' thread writes them.
 * A body that exceeds the staging budget is dropped as it arrives, and reported as not stored; a
 * failed write or sync ends the journal, like any other.
 */
final class LargeWriter implements LargeBody.Writer {
  private static final Logger LOG = LoggerFactory.getLogger(LargeWriter.class);
  private static final long HIGH_BYTES = 1 << 20;
  private static final long LOW_BYTES = HIGH_BYTES / 2;

  private final FileLarge.Storage storage;
  private final LongSupplier fileIds;
  private final Disk disk;
  private final JournalExecutors executors;
  private final BlockPool pool;
  private final CommitNotifier outcome;
  private final StagingBudget onDisk;
  private final StagingBudget inMemory;
  private final DiskSpace space;
  private final long maxBytes;
  private final AtomicLong backlogBytes = new AtomicLong();
  private final AtomicInteger waitingPieces = new AtomicInteger();

  // The event loop's.
  private final OpenPiece piece;
  private final SlowBody slowOnDisk;
  private final SlowBody slowInMemory;
  private long taken;
  private boolean refused;
  private boolean ended;

  // Under this object's lock.
  private @Nullable Executor waiting;
  private @Nullable Runnable whenRoom;
  private volatile boolean high;

  // The files' thread's.
  private final CRC32C check = new CRC32C();
  private @Nullable DiskFile file;
  private long fileId;
  private int pieces;
  private int[] checks = new int[8];
  private boolean failed;

  LargeWriter(
      FileLarge.Storage storage,
      LongSupplier fileIds,
      Disk disk,
      JournalExecutors executors,
      BlockPool pool,
      CommitNotifier outcome,
      StagingBudget onDisk,
      StagingBudget inMemory,
      DiskSpace space,
      long maxBytes) {
    this.storage = storage;
    this.fileIds = fileIds;
    this.disk = disk;
    this.executors = executors;
    this.pool = pool;
    this.outcome = outcome;
    this.onDisk = onDisk;
    this.inMemory = inMemory;
    this.piece = new OpenPiece(pool, inMemory);
    this.space = space;
    this.maxBytes = maxBytes;
    this.slowOnDisk = new SlowBody(onDisk, this::refuse);
    this.slowInMemory = new SlowBody(inMemory, this::refuse);
  }

  @Override
  public void givesWay(PieceOwner owner) {
    slowOnDisk.belongsTo(owner);
    slowInMemory.belongsTo(owner);
  }

  @Override
  public void write(ByteBuffer bytes) {
    if (ended) {
      throw new IllegalStateException("this body was ended");
    }
    var count = bytes.remaining();
    if (refused || !take(count)) {
      bytes.position(bytes.limit());
      return;
    }
    backlogBytes.addAndGet(count);
    while (bytes.hasRemaining()) {
      if (!piece.put(bytes)) {
        refuse();
        bytes.position(bytes.limit());
        return;
      }
      if (piece.isWhole()) {
        handOver();
      }
    }
    slowInMemory.came(count, piece.heldBytes());
    if (mustWait()) {
      synchronized (this) {
        // A waiting piece is reported as written later, under this lock. It is never taken back
        // here, or a sender that was stopped before would wait for ever.
        if (mustWait()) {
          high = true;
        }
      }
    }
  }

  /** Whether many pieces wait to be written, of this body or of all bodies. */
  private boolean mustWait() {
    return waitingPieces.get() > 0 && (backlogBytes.get() > HIGH_BYTES || inMemory.isScarce());
  }

  private boolean take(int count) {
    var hasRoom = mayTake(count);
    taken += hasRoom ? count : 0;
    slowOnDisk.came(count, taken);
    if (!hasRoom) {
      refuse();
    }
    return hasRoom;
  }

  private boolean mayTake(int count) {
    return taken + count <= maxBytes && !outcome.ended() && space.take(count) && onDisk.take(count);
  }

  private void handOver() {
    var sealed = piece.seal();
    if (sealed != null) {
      waitingPieces.incrementAndGet();
      executors.files(() -> writePiece(sealed));
    }
  }

  private void refuse() {
    refused = true;
    noMoreComes();
    onDisk.giveBack(taken);
    piece.drop();
    executors.files(this::removeFile);
  }

  private void noMoreComes() {
    slowOnDisk.close();
    slowInMemory.close();
  }

  @Override
  public void amend(int position, ByteBuffer bytes) {
    var last = position + bytes.remaining();
    if (ended || position < 0 || last > Math.min(taken, LargeFormat.PIECE_BYTES)) {
      throw new IllegalArgumentException("only what was taken among the first can be amended");
    }
    var first = piece.view();
    if (refused) {
      return;
    }
    if (first != null && taken < LargeFormat.PIECE_BYTES) {
      first.put(position, bytes, bytes.position(), bytes.remaining());
      return;
    }
    var copy = ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip();
    executors.files(() -> amendFirst(position, copy));
  }

  /** Reads the first piece back from the system's cache, as it is not kept in memory. */
  private void amendFirst(int position, ByteBuffer bytes) {
    if (failed || outcome.ended()) {
      return;
    }
    Block held = null;
    try {
      var block = pool.take(LargeFormat.PIECE_BYTES);
      held = block;
      var whole = block.bytes.duplicate().limit(LargeFormat.PIECE_BYTES);
      var written = openFile();
      written.read(whole, 0);
      whole.flip();
      if (LargeFormat.checkOf(check, fileId, 0, whole.duplicate()) != checks[0]) {
        throw new IOException(
            disk.describe(LargeFormat.nameOf(fileId)) + " is not what was written, at offset 0");
      }
      whole.put(position, bytes, 0, bytes.remaining());
      checks[0] = LargeFormat.checkOf(check, fileId, 0, whole.duplicate());
      written.overwrite(bytes, position);
    } catch (IOException | RuntimeException | Error failure) {
      fail(failure);
    } finally {
      if (held != null) {
        held.release();
      }
    }
  }

  @Override
  public boolean isRefused() {
    return refused;
  }

  @Override
  public long backlogBytes() {
    if (refused) {
      return 0;
    }
    return high ? Math.max(HIGH_BYTES + 1, backlogBytes.get()) : backlogBytes.get();
  }

  @Override
  public synchronized void whenRoom(Executor endpoint, Runnable listener) {
    waiting = endpoint;
    whenRoom = listener;
  }

  @Override
  public void finish(Executor endpoint, Consumer<LargeBody.@Nullable Staged> done) {
    ended = true;
    noMoreComes();
    if (refused) {
      endpoint.execute(() -> done.accept(null));
      return;
    }
    handOver();
    executors.files(
        () -> {
          var stored = complete();
          endpoint.execute(() -> done.accept(stored));
        });
  }

  @Override
  public void abort() {
    if (!ended) {
      ended = true;
      noMoreComes();
      piece.drop();
      if (!refused) {
        onDisk.giveBack(taken);
        executors.files(this::removeFile);
      }
    }
  }

  private void writePiece(OpenPiece.Sealed sealed) {
    var bytes = sealed.bytes();
    var count = bytes.remaining();
    try {
      if (!failed && !outcome.ended()) {
        if (pieces == checks.length) {
          checks = Arrays.copyOf(checks, 2 * pieces);
        }
        var to = openFile();
        checks[pieces] = LargeFormat.checkOf(check, fileId, pieces, bytes.duplicate());
        pieces++;
        to.append(new ByteBuffer[] {bytes}, 1);
      }
    } catch (IOException | RuntimeException | Error failure) {
      fail(failure);
    } finally {
      sealed.release(inMemory);
      waitingPieces.decrementAndGet();
      written(count);
    }
  }

  private DiskFile openFile() throws IOException {
    var known = file;
    if (known == null) {
      fileId = fileIds.getAsLong();
      known = disk.create(LargeFormat.nameOf(fileId));
      file = known;
    }
    return known;
  }

  private void written(int count) {
    if (backlogBytes.addAndGet(-count) >= LOW_BYTES) {
      return;
    }
    Executor endpoint;
    Runnable listener;
    synchronized (this) {
      if (!high) {
        return;
      }
      high = false;
      endpoint = waiting;
      listener = whenRoom;
    }
    if (endpoint != null && listener != null) {
      endpoint.execute(listener);
    }
  }

  /** The stored body; null when it could not be stored, and its bytes are released. */
  private @Nullable FileLarge complete() {
    if (!failed && !outcome.ended()) {
      try {
        var table = LargeFormat.tableOf(checks, pieces);
        var tableCheck = LargeFormat.checkOfTable(table);
        try (var whole = openFile()) {
          file = null;
          whole.append(new ByteBuffer[] {table}, 1);
          whole.sync();
        }
        disk.syncFolder(LargeFormat.FOLDER);
        return new FileLarge(
            storage, fileId, taken, tableCheck, Arrays.copyOf(checks, pieces), true);
      } catch (IOException | RuntimeException | Error failure) {
        fail(failure);
      }
    }
    removeFile();
    onDisk.giveBack(taken);
    return null;
  }

  /** Handles a failure: a failed disk ends the journal, any other fault loses only this body. */
  private void fail(Throwable failure) {
    failed = true;
    if (failure instanceof IOException ofTheDisk) {
      outcome.failed(ofTheDisk);
    } else {
      LOG.warn("A large body could not be stored", failure);
    }
  }

  private void removeFile() {
    failed = true;
    var open = file;
    file = null;
    if (open == null || outcome.ended()) {
      return;
    }
    try {
      open.close();
      disk.delete(LargeFormat.nameOf(fileId));
      disk.syncFolder(LargeFormat.FOLDER);
    } catch (IOException | RuntimeException | Error failure) {
      LOG.warn("A large body that was given up stays until the next start");
      fail(failure);
    }
  }
}
