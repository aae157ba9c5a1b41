package io.peeklock.journal.blocks;

import io.peeklock.kernel.Invariant;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A piece of off-heap memory for bodies, shared by arenas, log and readers. It returns to its pool
 * when the last reference is released. References are counted for each burst, not for each body.
 */
public final class Block {
  /** The memory, for absolute gets by any thread. */
  public final ByteBuffer bytes;

  /** The memory for the log's thread: little endian, with that thread's position and limit. */
  public final ByteBuffer logView;

  /** The number of resident runs in it; used by the shard's thread. */
  int residentRuns;

  /** The bytes of their living bodies; used by the shard's thread. */
  public long liveBytes;

  private final BlockPool pool;
  private final AtomicInteger references = new AtomicInteger(1);
  private volatile boolean filled;

  Block(BlockPool pool, ByteBuffer memory) {
    this.pool = pool;
    this.bytes = memory;
    this.logView = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
  }

  public int capacity() {
    return bytes.capacity();
  }

  /** Adds a reference. */
  public void retain() {
    Invariant.check(references.getAndIncrement() > 0, "a block that was given back is not pinned");
  }

  /** Releases a reference; the last one returns the block to its pool. */
  public void release() {
    var left = references.decrementAndGet();
    Invariant.check(left >= 0, "a block is given back once");
    if (left == 0) {
      pool.giveBack(this);
    }
  }

  /** Takes the block out of the pool, with one reference. */
  void reuse() {
    filled = false;
    references.set(1);
  }

  /** Marks the block as filled. */
  void fill() {
    filled = true;
  }

  /** Whether no more bodies are added: its memory is freed with its last body. */
  public boolean isFilled() {
    return filled;
  }
}
