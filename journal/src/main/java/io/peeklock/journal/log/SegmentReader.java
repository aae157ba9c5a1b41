package io.peeklock.journal.log;

import io.peeklock.journal.blocks.BodyCheck;
import io.peeklock.journal.blocks.BodyRun;
import io.peeklock.journal.disk.DiskFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** Reads a file through a window, so that neighbouring places cost one read. */
public final class SegmentReader implements Closeable {
  private static final int WINDOW_BYTES = 64 * 1024;

  private final DiskFile file;
  private final long size;
  private final CRC32C check = new CRC32C();
  private ByteBuffer window;
  private long windowAt;

  /** Opens a window on a file of its present size. */
  public SegmentReader(DiskFile file) throws IOException {
    this.file = file;
    this.size = file.size();
    this.window = room(0).limit(0);
  }

  private ByteBuffer room(int bytes) {
    var capacity = (int) Math.max(bytes, Math.min(size, WINDOW_BYTES));
    return ByteBuffer.allocateDirect(capacity).order(ByteOrder.LITTLE_ENDIAN);
  }

  public long size() {
    return size;
  }

  DiskFile file() {
    return file;
  }

  /** Whether the file has this many bytes at an offset. */
  public boolean has(long offset, long bytes) {
    return bytes <= size - offset;
  }

  /**
   * A view of bytes that the file {@link #has}; valid until the next call.
   *
   * @return little endian, from position 0 to its limit
   */
  public ByteBuffer at(long offset, int bytes) throws IOException {
    if (offset < windowAt || offset + bytes > windowAt + window.limit()) {
      load(offset, bytes);
    }
    return window.slice((int) (offset - windowAt), bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Whether this body lies here, as it was written. */
  public boolean hasBody(long bodyId, long offset, int length) throws IOException {
    if (length < 0 || !has(offset, BodyRun.CHECK_BYTES + (long) length)) {
      return false;
    }
    var body = at(offset, BodyRun.CHECK_BYTES + length);
    var sum = body.getInt();
    return sum == BodyCheck.of(check, bodyId, body);
  }

  private void load(long offset, int bytes) throws IOException {
    if (window.capacity() < bytes) {
      window = room(bytes);
    }
    window.clear();
    window.limit((int) Math.min(window.capacity(), size - offset));
    windowAt = offset;
    var wanted = window.limit();
    file.read(window, offset);
    if (window.position() != wanted) {
      throw new IOException("a file became shorter while it was read");
    }
    window.position(0);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
