package io.peeklock.kernel.columns;

import io.peeklock.kernel.Invariant;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Where changed properties of messages are stored: body id and size by slot. Few messages
 * have any, so rows only keep a slot. Slot 0 stands for none. Empty pages are freed, so that a
 * flood of changed properties leaves no unused memory.
 */
public final class OverlayTable {

  /** Slots of a page. */
  public static final int PAGE = 1_024;

  private final StoredMemory stored;
  private final BitSet full = new BitSet();
  private @Nullable Page[] pages = new Page[1];

  public OverlayTable(StoredMemory stored) {
    this.stored = stored;
  }

  /** A page of slots. A free slot has the next free one in place of a body id. */
  private static final class Page {
    final long[] bodyIds = new long[PAGE];
    final int[] bytes = new int[PAGE];
    int used;
    int firstFree;

    Page() {
      Arrays.setAll(bodyIds, slot -> slot + 1L);
    }

    int add(long bodyId, int size) {
      int slot = firstFree;
      firstFree = (int) bodyIds[slot];
      bodyIds[slot] = bodyId;
      bytes[slot] = size;
      used++;
      return slot;
    }

    void remove(int slot) {
      bodyIds[slot] = firstFree;
      firstFree = slot;
      used--;
    }
  }

  /** Adds changed properties, and returns their slot. */
  public int add(long bodyId, int size) {
    int number = full.nextClearBit(0);
    if (number == pages.length) {
      pages = Arrays.copyOf(pages, number * 2);
    }
    Page page = pages[number];
    if (page == null) {
      page = new Page();
      pages[number] = page;
      stored.overlayPageCame();
    }
    int slot = page.add(bodyId, size);
    full.set(number, page.used == PAGE);
    return 1 + number * PAGE + slot;
  }

  /** Frees a slot. */
  public void remove(int slot) {
    int number = (slot - 1) / PAGE;
    Page page = page(slot);
    page.remove((slot - 1) % PAGE);
    full.clear(number);
    if (page.used == 0) {
      pages[number] = null;
      stored.overlayPageLeft();
    }
  }

  private Page page(int slot) {
    return Invariant.present(pages[(slot - 1) / PAGE], "a slot that is used has a page");
  }

  /** The body id of the properties, 0 for none. */
  public long bodyId(int slot) {
    return slot == 0 ? 0 : page(slot).bodyIds[(slot - 1) % PAGE];
  }

  /** Their size, 0 for none. */
  public int bytes(int slot) {
    return slot == 0 ? 0 : page(slot).bytes[(slot - 1) % PAGE];
  }

  /** How many pages there are. */
  public int pages() {
    int count = 0;
    for (Page page : pages) {
      count += page == null ? 0 : 1;
    }
    return count;
  }
}
