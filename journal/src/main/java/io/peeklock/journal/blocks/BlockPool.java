package io.peeklock.journal.blocks;

import io.peeklock.runtime.thread.AnyThread;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A pool of blocks for bodies. With traffic released blocks are kept, so that a steady flow
 * allocates none: as many as are usually in use, counting those in use. In quiet times only a few
 * are kept.
 */
@AnyThread
public final class BlockPool {
  /** The size of nearly every block; a larger body gets a block of its own size. */
  public static final int BLOCK_BYTES = 256 * 1024;

  private final IntFunction<ByteBuffer> memory;
  private final int keptAtRest;
  private final int keptAtWork;
  private final ArrayDeque<Block> free = new ArrayDeque<>();
  private final AtomicLong heldBytes = new AtomicLong();

  /**
   * A pool of direct memory.
   *
   * @param keptAtRest blocks kept in quiet times
   * @param keptBytesAtWork bytes of blocks kept with traffic
   */
  public BlockPool(int keptAtRest, long keptBytesAtWork) {
    this(keptAtRest, keptBytesAtWork, ByteBuffer::allocateDirect);
  }

  /** A pool of any memory. */
  public BlockPool(int keptAtRest, long keptBytesAtWork, IntFunction<ByteBuffer> memory) {
    this.memory = memory;
    this.keptAtRest = keptAtRest;
    this.keptAtWork = (int) Math.max(keptAtRest, keptBytesAtWork / BLOCK_BYTES);
  }

  /** Frees all but a few blocks, in quiet times. */
  public void trim() {
    synchronized (free) {
      while (free.size() > keptAtRest) {
        free.removeFirst();
      }
    }
  }

  /** A block with room for this many bytes, and one reference for the caller. */
  public Block take(int bytes) {
    var block = bytes <= BLOCK_BYTES ? atRest() : null;
    if (block == null) {
      block = new Block(this, memory.apply(Math.max(bytes, BLOCK_BYTES)));
    } else {
      block.reuse();
    }
    heldBytes.addAndGet(block.capacity());
    return block;
  }

  private @Nullable Block atRest() {
    synchronized (free) {
      return free.pollLast();
    }
  }

  void giveBack(Block block) {
    heldBytes.addAndGet(-block.capacity());
    if (block.capacity() == BLOCK_BYTES) {
      synchronized (free) {
        if (free.size() < keptAtRest || free.size() < keptAtWork - heldBytes.get() / BLOCK_BYTES) {
          free.addLast(block);
        }
      }
    }
  }

  /** The bytes of all blocks in use. */
  public long heldBytes() {
    return heldBytes.get();
  }
}
