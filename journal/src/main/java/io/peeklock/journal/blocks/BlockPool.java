package io.peeklock.journal.blocks;

import io.peeklock.runtime.thread.AnyThread;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Blocks for bodies. While there is traffic those given back are kept, so that a steady flow
 * allocates none: as many as are in use usually, those in use included. In quiet times a few are.
 */
@AnyThread
public final class BlockPool {
  /** What nearly every block holds; a larger body gets a block of its own size. */
  public static final int BLOCK_BYTES = 256 * 1024;

  private final IntFunction<ByteBuffer> memory;
  private final int keptAtRest;
  private final int keptAtWork;
  private final ArrayDeque<Block> free = new ArrayDeque<>();
  private final AtomicLong heldBytes = new AtomicLong();

  public BlockPool(int keptAtRest, long keptBytesAtWork) {
    this(keptAtRest, keptBytesAtWork, ByteBuffer::allocateDirect);
  }

  /** The same with any memory. */
  public BlockPool(int keptAtRest, long keptBytesAtWork, IntFunction<ByteBuffer> memory) {
    this.memory = memory;
    this.keptAtRest = keptAtRest;
    this.keptAtWork = (int) Math.max(keptAtRest, keptBytesAtWork / BLOCK_BYTES);
  }

  /** Times are quiet: lets go of all but a few. */
  public void trim() {
    synchronized (free) {
      while (free.size() > keptAtRest) {
        free.removeFirst();
      }
    }
  }

  /** A block with one reference, the caller's, and room for so many bytes. */
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

  /** Bytes of blocks that somebody refers to. */
  public long heldBytes() {
    return heldBytes.get();
  }
}
