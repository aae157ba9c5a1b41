package io.peeklock.kernel.columns;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A sorted set of numbers, mostly added at the end and removed at the front; other places cost
 * little more, however many there are. One number, which is all that most sessions ever have, is
 * here; a few are in one block; many are in a row of blocks, each for the numbers from its bound to
 * the next.
 */
public final class SortedLongs {

  /** Stands for no number; above all others. */
  public static final long NONE = Long.MAX_VALUE;

  private long single; // while there is no block
  private @Nullable SortedLongsBlock only; // while one block is enough
  private @Nullable Blocks many;
  private int size;

  /** Blocks in order. */
  private static final class Blocks {
    SortedLongsBlock[] blocks = new SortedLongsBlock[4];
    long[] bounds = new long[4];
    int head;
    int count;

    /** The block of a number; a number below all bounds belongs to the first. */
    int covering(long number) {
      int last = head + count - 1;
      if (number >= bounds[last]) {
        return last; // most are added at the end
      }
      int at = Arrays.binarySearch(bounds, head, head + count, number);
      return Math.max(head, at >= 0 ? at : -at - 2);
    }

    void insert(int at, SortedLongsBlock block, long bound) {
      int place = at + makeRoom();
      int behind = head + count - place;
      System.arraycopy(blocks, place, blocks, place + 1, behind);
      System.arraycopy(bounds, place, bounds, place + 1, behind);
      blocks[place] = block;
      bounds[place] = bound;
      count++;
    }

    /** Makes room at the end, and returns by how much the elements moved. */
    private int makeRoom() {
      int before = head;
      if (before + count < blocks.length) {
        return 0;
      }
      int capacity = before > count ? blocks.length : blocks.length * 2;
      blocks = Arrays.copyOf(Arrays.copyOfRange(blocks, before, before + count), capacity);
      bounds = Arrays.copyOf(Arrays.copyOfRange(bounds, before, before + count), capacity);
      head = 0;
      return -before;
    }

    @SuppressWarnings("NullAway") // places outside head and count are null, and never read
    void remove(int at) {
      count--;
      if (at == head) {
        blocks[at] = null;
        head++;
        return;
      }
      int behind = head + count - at;
      System.arraycopy(blocks, at + 1, blocks, at, behind);
      System.arraycopy(bounds, at + 1, bounds, at, behind);
      blocks[head + count] = null;
    }
  }

  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  /** The lowest number, {@link #NONE} for none. */
  public long first() {
    if (size == 0) {
      return NONE;
    }
    if (many != null) {
      return many.blocks[many.head].first();
    }
    return only == null ? single : only.first();
  }

  /** The lowest number from {@code number} on, {@link #NONE} for none. */
  public long from(long number) {
    Blocks all = many;
    if (all == null) {
      return size == 0 ? NONE : few(number);
    }
    int at = all.covering(number);
    long here = all.blocks[at].from(number);
    return here != NONE || at + 1 == all.head + all.count ? here : all.blocks[at + 1].first();
  }

  private long few(long number) {
    if (only != null) {
      return only.from(number);
    }
    return single < number ? NONE : single;
  }

  /** Adds a number, which must be new. */
  public void add(long number) {
    if (size == 0 && only == null) {
      single = number;
      size = 1;
      return;
    }
    if (many == null && block().isFull()) {
      many = new Blocks();
      many.insert(0, block(), block().first());
      only = null;
    }
    if (many == null) {
      block().add(number);
    } else {
      add(many, number);
    }
    size++;
  }

  private SortedLongsBlock block() {
    SortedLongsBlock block = only;
    if (block == null) {
      block = new SortedLongsBlock();
      block.add(single);
      only = block;
    }
    return block;
  }

  private static void add(Blocks all, long number) {
    int at = all.covering(number);
    SortedLongsBlock block = all.blocks[at];
    all.bounds[at] = Math.min(all.bounds[at], number); // lower than all others
    if (!block.isFull()) {
      block.add(number);
    } else if (at + 1 == all.head + all.count && number > block.last()) {
      SortedLongsBlock next = new SortedLongsBlock();
      next.add(number);
      all.insert(at + 1, next, number);
    } else {
      SortedLongsBlock upper = block.split();
      all.insert(at + 1, upper, upper.first());
      (number < upper.first() ? block : upper).add(number);
    }
  }

  /** Removes a number, which must be present. */
  public void remove(long number) {
    size--;
    Blocks all = many;
    if (all == null) {
      if (only != null) {
        only.remove(number);
      }
    } else if (size == 0) {
      many = null;
    } else {
      int at = all.covering(number);
      all.blocks[at].remove(number);
      if (all.blocks[at].size() == 0) {
        all.remove(at);
      }
    }
  }

  /** The index of a value among the first {@code count} sorted ones, or of the next higher one. */
  static int atOrAfter(int[] sorted, int count, long wanted) {
    int guess = (int) Math.max(0, Math.min(wanted, count - 1L)); // right while nothing is missing
    if (guess < count && sorted[guess] == wanted) {
      return guess;
    }
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] < wanted) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
