package io.peeklock.journal.blocks;

import io.peeklock.kernel.Invariant;
import io.peeklock.runtime.StagedBodies;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bodies with consecutive ids, in a few blocks. A run is first staged by an edge, then part of a
 * batch, then resident; a piece of a segment that was read back is a run too. In the block room for
 * a checksum precedes each body, so that a run is written as it is.
 *
 * <p>Owned by the edge until it is handed over, then by the shard's thread; the log's thread reads
 * it between append and durable, while it does not change.
 */
public final class BodyRun implements StagedBodies {
  /** A length that means that the body is in its own file. */
  public static final int LARGE = -1;

  /** A length that means that there is no such body any more. */
  public static final int ABSENT = -2;

  /** Bytes before each body, for its checksum. */
  public static final int CHECK_BYTES = 4;

  /** Neighbours among the resident runs, oldest first. */
  @Nullable BodyRun older;

  @Nullable BodyRun newer;
  public boolean resident;

  private final Block[] blocks;
  private final int[] firstOfBlock;
  private final int[] starts;
  private final int[] lengths;
  private final @Nullable StoredLarge @Nullable [] larges;
  private final @Nullable StagingBudget budget;
  private final long chargedBytes;
  private int count;
  private int live;
  private long firstBodyId;
  private long index;

  /**
   * Creates a run, which takes over one reference to each block and each large body.
   *
   * @param firstOfBlock the index of the first body of each block
   * @param starts the offset of each body's checksum in its block
   * @param lengths of each body, or {@link #LARGE}, or {@link #ABSENT}
   * @param larges by body; null when none is large
   * @param budget the budget that was charged; null for none
   */
  public BodyRun(
      Block[] blocks,
      int[] firstOfBlock,
      int[] starts,
      int[] lengths,
      @Nullable StoredLarge @Nullable [] larges,
      @Nullable StagingBudget budget,
      long chargedBytes) {
    this.blocks = blocks;
    this.firstOfBlock = firstOfBlock;
    this.starts = starts;
    this.lengths = lengths;
    this.larges = larges;
    this.budget = budget;
    this.chargedBytes = chargedBytes;
    this.count = lengths.length;
  }

  /**
   * Joins several runs into one, in their order, and takes them over.
   *
   * @param parts runs that are not appended yet and have no large body
   * @param count the number of their bodies
   */
  public static BodyRun joined(List<BodyRun> parts, int count) {
    var most = 0;
    for (var part : parts) {
      most += part.blocks.length;
    }
    var blocks = new Block[most];
    var firsts = new int[most];
    var starts = new int[count];
    var lengths = new int[count];
    var used = 0;
    var at = 0;
    for (var part : parts) {
      part.giveUpStaging();
      System.arraycopy(part.starts, 0, starts, at, part.count);
      System.arraycopy(part.lengths, 0, lengths, at, part.count);
      for (var i = 0; i < part.blocks.length; i++) {
        if (part.isEmpty(i) || (used > 0 && blocks[used - 1] == part.blocks[i])) {
          part.blocks[i].release(); // without bodies, or with one reference too many
        } else {
          blocks[used] = part.blocks[i];
          firsts[used++] = at + part.firstOfBlock[i];
        }
      }
      at += part.count;
    }
    return new BodyRun(
        Arrays.copyOf(blocks, used), Arrays.copyOf(firsts, used), starts, lengths, null, null, 0);
  }

  /** Whether all bodies of a block were taken back. */
  private boolean isEmpty(int block) {
    var next = block + 1 < blocks.length ? firstOfBlock[block + 1] : count;
    return firstOfBlock[block] == next;
  }

  /** Whether one of its bodies may be a large one. */
  boolean hasLarges() {
    return larges != null;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public long bytes() {
    var sum = 0L;
    for (var i = 0; i < count; i++) {
      sum += lengths[i] >= 0 ? lengths[i] : lengths[i] == LARGE ? large(i).length() : 0;
    }
    return sum;
  }

  @Override
  public void keepOnly(boolean[] kept) {
    Invariant.check(kept.length == count, "there is one word about each staged body");
    var to = 0;
    var block = 0;
    for (var from = 0; from < count; from++) {
      for (; block < blocks.length && firstOfBlock[block] == from; block++) {
        firstOfBlock[block] = to;
      }
      if (kept[from]) {
        starts[to] = starts[from];
        lengths[to] = lengths[from];
        move(from, to++);
      } else if (lengths[from] == LARGE) {
        large(from).release();
      }
    }
    Arrays.fill(firstOfBlock, block, blocks.length, to);
    count = to;
  }

  private void move(int from, int to) {
    if (larges != null) {
      larges[to] = larges[from];
    }
  }

  @Override
  public void release() {
    for (var i = 0; i < count; i++) {
      if (lengths[i] == LARGE) {
        large(i).release();
      }
    }
    giveUpStaging();
    releaseBlocks();
  }

  /** Becomes part of a batch. */
  public void appended(long first, long batchIndex) {
    firstBodyId = first;
    index = batchIndex;
    live = 0;
    for (var i = 0; i < count; i++) {
      live += lengths[i] == ABSENT ? 0 : 1;
      if (lengths[i] == LARGE) {
        large(i).logged();
      }
    }
    giveUpStaging();
  }

  private void giveUpStaging() {
    if (budget != null) {
      budget.giveBack(chargedBytes);
    }
  }

  /** Releases its references to all blocks. */
  public void releaseBlocks() {
    for (var block : blocks) {
      block.release();
    }
  }

  /**
   * Adds the living bodies to the counts of their blocks, or subtracts them, and returns their
   * bytes.
   */
  long countLiveBytes(int sign) {
    var sum = 0L;
    for (var i = 0; i < count; i++) {
      if (lengths[i] >= 0) {
        var bytes = (long) sign * (CHECK_BYTES + lengths[i]);
        block(i).liveBytes += bytes;
        sum += bytes;
      }
    }
    return sum;
  }

  /**
   * A copy from the first living body to the last, in other blocks, with the same ids. At least one
   * body must be alive.
   *
   * @param to where they go
   */
  public BodyRun movedTo(Arena to) {
    var from = 0;
    for (; lengths[from] == ABSENT; from++) {}
    var until = count;
    for (; lengths[until - 1] == ABSENT; until--) {}
    var packed = copiedTo(to);
    try {
      return moved(packed, from, until);
    } catch (Throwable noMemory) { // for a few arrays; the copies would leak
      packed.releaseBlocks();
      throw noMemory;
    } finally {
      packed.giveUpStaging();
    }
  }

  private BodyRun moved(BodyRun packed, int from, int until) {
    var movedStarts = Arrays.copyOfRange(starts, from, until);
    var movedFirsts = new int[packed.blocks.length];
    var block = 0;
    var next = 0;
    for (var i = from; i < until; i++) {
      if (lengths[i] >= 0) {
        for (; block < movedFirsts.length && packed.firstOfBlock[block] == next; block++) {
          movedFirsts[block] = next == 0 ? 0 : i - from;
        }
        movedStarts[i - from] = packed.starts[next++];
      }
    }
    var movedLarges = larges == null ? null : Arrays.copyOfRange(larges, from, until);
    var moved =
        new BodyRun(
            packed.blocks,
            movedFirsts,
            movedStarts,
            Arrays.copyOfRange(lengths, from, until),
            movedLarges,
            null,
            0);
    moved.live = live;
    moved.firstBodyId = firstBodyId + from;
    moved.index = index;
    return moved;
  }

  private BodyRun copiedTo(Arena to) {
    to.begin();
    try {
      for (var i = 0; i < count; i++) {
        if (lengths[i] >= 0) {
          to.reserve(Math.max(1, lengths[i]))
              .put(block(i).bytes.slice(starts[i] + CHECK_BYTES, lengths[i]));
          to.commit();
        }
      }
      return (BodyRun) to.end();
    } finally {
      to.drop(); // when there was not enough memory
    }
  }

  public long firstBodyId() {
    return firstBodyId;
  }

  /** Index of the batch it came with; 0 when it was read back. */
  long index() {
    return index;
  }

  /** How many of its bodies are alive. */
  public int live() {
    return live;
  }

  /** Place of a body in this run, or -1. */
  public int placeOf(long bodyId) {
    var place = bodyId - firstBodyId;
    return place >= 0 && place < count && lengths[(int) place] != ABSENT ? (int) place : -1;
  }

  /** Marks a living body as dead, and returns the bytes of its block that it frees. */
  int died(int place) {
    var bytes = lengths[place] >= 0 ? CHECK_BYTES + lengths[place] : 0;
    if (bytes > 0) {
      block(place).liveBytes -= bytes;
    }
    lengths[place] = ABSENT;
    live--;
    return bytes;
  }

  /** Bytes of the bodies that live, without large ones. */
  public long liveBytes() {
    var sum = 0L;
    for (var i = 0; i < count; i++) {
      sum += lengths[i] >= 0 ? CHECK_BYTES + lengths[i] : 0;
    }
    return sum;
  }

  /**
   * The bytes of memory that it keeps: its share of each block, by living bodies. Of a block that
   * is still being filled only its own bodies count.
   */
  public double keptBytes() {
    var sum = 0.0;
    for (var block : blocks) {
      sum += block.liveBytes == 0 && block.isFilled() ? block.capacity() : 0;
    }
    for (var i = 0; i < count; i++) {
      if (lengths[i] >= 0) {
        var bytes = CHECK_BYTES + lengths[i];
        var block = block(i);
        sum += block.isFilled() ? (double) bytes * block.capacity() / block.liveBytes : bytes;
      }
    }
    return sum;
  }

  /** Bytes of a body, or {@link #LARGE} or {@link #ABSENT}. */
  public int length(int place) {
    return lengths[place];
  }

  /** The offset of a body's checksum in its block. */
  public int start(int place) {
    return starts[place];
  }

  /** The large body at a place, which must be one. */
  public StoredLarge large(int place) {
    Invariant.check(larges != null, "a large body is in a run that has large ones");
    return Invariant.present(
        larges == null ? null : larges[place], "a large body is known by its run");
  }

  public Block[] blocks() {
    return blocks;
  }

  /** The block of a body. */
  public Block block(int place) {
    var low = 0;
    var high = blocks.length - 1;
    while (low < high) { // the last block that begins there or before
      var middle = (low + high + 1) >>> 1;
      if (firstOfBlock[middle] <= place) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return blocks[low];
  }

  /** The place after the last body that follows this one without a gap in the same block. */
  public int contiguousUntil(int place) {
    var block = block(place);
    var end = starts[place] + CHECK_BYTES + lengths[place];
    var next = place + 1;
    while (next < count && lengths[next] >= 0 && starts[next] == end && block(next) == block) {
      end += CHECK_BYTES + lengths[next];
      next++;
    }
    return next;
  }
}
