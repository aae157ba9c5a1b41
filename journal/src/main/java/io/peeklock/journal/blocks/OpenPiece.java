package io.peeklock.journal.blocks;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The piece of a large body that is being filled. The first one begins small, so that a sender of
 * one byte takes little. Memory is charged when it is taken, not when it is filled. Used by one
 * event loop.
 */
public final class OpenPiece {
  static final int WHOLE_BYTES = BlockPool.BLOCK_BYTES;
  static final int FIRST_BYTES = 16 << 10;
  private static final int GROWTH = 4;

  private final BlockPool pool;
  private final StagingBudget memory;
  private int nextBytes = FIRST_BYTES;
  private @Nullable Block block;
  private @Nullable ByteBuffer view;

  /**
   * None yet.
   *
   * @param memory the budget that is charged, until the sealed piece is released
   */
  public OpenPiece(BlockPool pool, StagingBudget memory) {
    this.pool = pool;
    this.memory = memory;
  }

  /** A filled piece; its owner must release it once. */
  public record Sealed(ByteBuffer bytes, @Nullable Block block, int counted) {
    /** Releases its block, and gives its bytes back to the budget. */
    public void release(StagingBudget memory) {
      if (block != null) {
        block.release();
      }
      memory.giveBack(counted);
    }
  }

  /** Takes as many bytes as fit, at least one; false when there is no memory. */
  public boolean put(ByteBuffer bytes) {
    var into = view;
    if (into == null || !into.hasRemaining()) {
      into = larger(into, bytes.remaining());
      if (into == null) {
        return false;
      }
    }
    var part = Math.min(into.remaining(), bytes.remaining());
    into.put(bytes.slice(bytes.position(), part));
    bytes.position(bytes.position() + part);
    return true;
  }

  private @Nullable ByteBuffer larger(@Nullable ByteBuffer before, int wanted) {
    var had = before == null ? 0 : before.position();
    var size = nextBytes;
    while (size < WHOLE_BYTES && size - had < wanted) {
      size *= GROWTH;
    }
    return grown(before, size);
  }

  private @Nullable ByteBuffer grown(@Nullable ByteBuffer before, int size) {
    if (!memory.take(size)) {
      return null;
    }
    ByteBuffer next;
    try {
      next = memoryOf(size);
    } catch (RuntimeException | Error none) {
      memory.giveBack(size);
      throw none;
    }
    if (before != null) {
      next.put(before.flip());
      memory.giveBack(before.capacity());
    }
    view = next;
    nextBytes = Math.min(WHOLE_BYTES, size * GROWTH);
    return next;
  }

  private ByteBuffer memoryOf(int size) {
    if (size < WHOLE_BYTES) {
      return ByteBuffer.allocate(size);
    }
    var taken = pool.take(WHOLE_BYTES);
    block = taken;
    return taken.bytes.duplicate().limit(WHOLE_BYTES);
  }

  /** Whether the piece has its full size. */
  public boolean isWhole() {
    return view != null && view.position() == WHOLE_BYTES;
  }

  /** The bytes charged to the budget now. */
  public int heldBytes() {
    return view == null ? 0 : view.capacity();
  }

  /** The filled bytes, which may be overwritten; null for none. */
  public @Nullable ByteBuffer view() {
    return view;
  }

  /** Moves the filled bytes into a block of the pool; false when there is no memory. */
  boolean intoBlock() {
    var small = view;
    return small == null || block != null || grown(small, WHOLE_BYTES) != null;
  }

  /** Ends the piece, and the next byte begins another; null when it is empty. */
  public @Nullable Sealed seal() {
    var filled = view;
    if (filled == null) {
      return null;
    }
    var counted = block == null ? filled.capacity() : WHOLE_BYTES;
    var sealed = new Sealed(filled.flip(), block, counted);
    block = null;
    view = null;
    return sealed;
  }

  /** Drops the filled bytes. */
  public void drop() {
    var sealed = seal();
    if (sealed != null) {
      sealed.release(memory);
    }
  }
}
