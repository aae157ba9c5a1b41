package io.peeklock.amqp.engine.framing;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/** The one buffer that all frames of a connection are appended to, until it is taken. */
public final class Output {
  private static final int FIRST_CAPACITY = 4096;
  private static final int UNLOCKED = -1;

  private final ByteBufAllocator allocator;
  private @Nullable ByteBuf buffer;
  private long nowMillis;
  private long lastWriteMillis;
  private long transferredBytes;
  private int lockedFrameAt = UNLOCKED;
  private int frameSize;

  /**
   * For a new connection.
   *
   * @param frameSize the largest frame until {@link #limitFrames}
   */
  public Output(ByteBufAllocator allocator, long nowMillis, int frameSize) {
    this.allocator = allocator;
    this.frameSize = frameSize;
    this.nowMillis = nowMillis;
    this.lastWriteMillis = nowMillis;
  }

  /** Where its buffers come from. */
  public ByteBufAllocator allocator() {
    return allocator;
  }

  /**
   * The time that writes are attributed to: never later than they are, so heartbeats come early.
   */
  public void now(long millis) {
    nowMillis = millis;
  }

  /** Sets the largest frame that the peer accepts. */
  public void limitFrames(int bytes) {
    frameSize = bytes;
  }

  /** The largest frame that may be appended. */
  public int frameSize() {
    return frameSize;
  }

  /** When something was written last; never later than it was. */
  public long lastWriteMillis() {
    return lastWriteMillis;
  }

  /** Counts written bytes of a transfer frame. */
  public void countTransferred(int bytes) {
    transferredBytes += bytes;
  }

  /** Bytes of all transfer frames written to this over its life. */
  public long transferredBytes() {
    return transferredBytes;
  }

  /** Refuses other writes until {@link #unlock}, while the edge writes a frame. */
  public void lock(int frameAt) {
    lockedFrameAt = frameAt;
  }

  /** Ends {@link #lock}: the frame is written. */
  public void unlock() {
    lockedFrameAt = UNLOCKED;
  }

  /** Takes back the frame that was being written, if any. */
  public void rollBack() {
    if (lockedFrameAt != UNLOCKED && buffer != null) {
      buffer.writerIndex(lockedFrameAt);
    }
    unlock();
  }

  /** The buffer, with room for this many more bytes at its writer index. */
  public ByteBuf withRoom(int bytes) {
    if (lockedFrameAt != UNLOCKED) {
      throw new IllegalStateException("a delivery was begun and not ended");
    }
    lastWriteMillis = nowMillis;
    ByteBuf current = buffer;
    if (current == null) {
      current = allocator.buffer(Math.max(FIRST_CAPACITY, bytes));
      buffer = current;
    }
    return current.ensureWritable(bytes);
  }

  /** How many bytes wait to be taken. */
  public int readableBytes() {
    return buffer == null ? 0 : buffer.readableBytes();
  }

  /** Hands over what was written, now the caller's to release; null when there is nothing. */
  public @Nullable ByteBuf take() {
    if (lockedFrameAt != UNLOCKED) {
      throw new IllegalStateException("a delivery was begun and not ended");
    }
    ByteBuf taken = buffer;
    if (taken == null || !taken.isReadable()) {
      return null;
    }
    buffer = null;
    return taken;
  }

  /** Drops everything that was not taken. */
  public void discard() {
    if (buffer != null) {
      buffer.release();
      buffer = null;
    }
  }
}
