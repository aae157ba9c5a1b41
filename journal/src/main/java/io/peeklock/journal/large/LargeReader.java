package io.peeklock.journal.large;

import io.peeklock.journal.JournalExecutors;
import io.peeklock.journal.blocks.Block;
import io.peeklock.journal.blocks.BlockPool;
import io.peeklock.journal.disk.Disk;
import io.peeklock.journal.disk.DiskFile;
import io.peeklock.runtime.LargeBody;
import io.peeklock.runtime.ReadFault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.CRC32C;

/** A reader of a large body in a file, with its own pin; pieces are read on the reading thread. */
final class LargeReader implements LargeBody {
  private final FileLarge body;
  private final Disk disk;
  private final JournalExecutors executors;
  private final BlockPool pool;
  private final AtomicBoolean released = new AtomicBoolean();

  /** Creates a reader, whose pin is counted already. */
  LargeReader(FileLarge body, Disk disk, JournalExecutors executors, BlockPool pool) {
    this.body = body;
    this.disk = disk;
    this.executors = executors;
    this.pool = pool;
  }

  @Override
  public long length() {
    return body.length();
  }

  @Override
  public void read(long position, int bytes, Executor reader, PieceListener whenRead) {
    if (position < 0 || position > body.length() || bytes < 0 || bytes > LargeFormat.PIECE_BYTES) {
      throw new IllegalArgumentException("a piece is up to 256 KiB of the body");
    }
    body.retain();
    executors.reads(() -> readNow(position, bytes, reader, whenRead));
  }

  /** Reads a piece. After any exception the reader is told, and all memory is released. */
  private void readNow(long position, int bytes, Executor reader, PieceListener whenRead) {
    Block held = null;
    try {
      var block = pool.take(LargeFormat.PIECE_BYTES);
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
    try (var file = disk.open(LargeFormat.nameOf(body.fileId()))) {
      loadTable(file);
      var at = position;
      while (into.hasRemaining()) {
        var piece = (int) (at / LargeFormat.PIECE_BYTES);
        var from = (int) (at % LargeFormat.PIECE_BYTES);
        at += copy(file, piece, from, into);
      }
    }
  }

  /** Copies a part of a piece, which is verified as a whole. */
  private int copy(DiskFile file, int piece, int from, ByteBuffer into) throws IOException {
    var block = pool.take(LargeFormat.PIECE_BYTES);
    try {
      var view = block.bytes.duplicate();
      var bytes = LargeFormat.bytesOf(piece, body.length());
      view.limit(bytes);
      file.read(view, (long) piece * LargeFormat.PIECE_BYTES);
      var isWhole = view.position() == bytes;
      view.flip();
      if (!isWhole
          || LargeFormat.checkOf(new CRC32C(), body.fileId(), piece, view) != body.checks[piece]) {
        throw damaged((long) piece * LargeFormat.PIECE_BYTES);
      }
      var wanted = Math.min(into.remaining(), bytes - from);
      into.put(view.limit(from + wanted).position(from));
      return wanted;
    } finally {
      block.release();
    }
  }

  private void loadTable(DiskFile file) throws IOException {
    var pieces = LargeFormat.piecesOf(body.length());
    if (body.checks.length == pieces) {
      return;
    }
    var length = body.length();
    if (length < 0 || file.size() != length + (long) LargeFormat.CHECK_BYTES * pieces) {
      throw damaged(file.size());
    }
    var table =
        ByteBuffer.allocateDirect(LargeFormat.CHECK_BYTES * pieces).order(ByteOrder.LITTLE_ENDIAN);
    file.read(table, length);
    var isWhole = !table.hasRemaining();
    table.flip();
    if (!isWhole || LargeFormat.checkOfTable(table) != body.tableCheck()) {
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
        disk.describe(LargeFormat.nameOf(body.fileId()))
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
