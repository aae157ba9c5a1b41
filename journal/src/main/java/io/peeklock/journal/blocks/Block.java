package io.peeklock.journal.blocks;

import io.peeklock.kernel.Invariant;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A piece of off-heap memory that holds bodies, shared by those who stage, log and read them. It
 * goes back to its pool when nobody refers to it any more. References are counted for each burst,
 * not for each body.
 */
public final class Block {
  /** For absolute gets by everybody. */
  public final ByteBuffer bytes;

  /** For the log's thread: little endian, its position and limit are that thread's. */
  public final ByteBuffer logView;

  /** How many resident runs lie here; the shard thread's. */
  int residentRuns;

  /** Bytes of their living bodies; the shard thread's. */
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

  public void retain() {
    Invariant.check(references.getAndIncrement() > 0, "a block that was given back is not pinned");
  }

  public void release() {
    var left = references.decrementAndGet();
    Invariant.check(left >= 0, "a block is given back once");
    if (left == 0) {
      pool.giveBack(this);
    }
  }

  /** Out of the pool again; nobody else has it. */
  void reuse() {
    filled = false;
    references.set(1);
  }

  /** Nothing more is laid here. */
  void fill() {
    filled = true;
  }

  /** Whether nothing more is laid here: its memory is free once its bodies are gone. */
  public boolean isFilled() {
    return filled;
  }
}
