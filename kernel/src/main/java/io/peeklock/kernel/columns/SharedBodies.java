package io.peeklock.kernel.columns;

import java.util.Arrays;

/**
 * Counts the messages that share a body: the copies of a topic's message. Rows keep the slot, so
 * that no look-up is needed. Slot 0 stands for a body that is not shared.
 */
public final class SharedBodies {

  private int[] counts = new int[16];
  private int[] nextFree = new int[16];
  private int used = 1;
  private int free;
  private int restoredFrom = 1;
  private int restoredUntil = 1;

  /** Adds a body with this many messages, and returns its slot, 0 for one message. */
  public int add(int messages) {
    if (messages == 1) {
      return 0;
    }
    int slot = take();
    counts[slot] = messages;
    return slot;
  }

  private int take() {
    if (free != 0) {
      int slot = free;
      free = nextFree[slot];
      return slot;
    }
    while (restoredFrom < restoredUntil) {
      int slot = restoredFrom++;
      if (counts[slot] == 0) {
        return slot;
      }
    }
    growTo(used + 1);
    return used++;
  }

  /** How many messages have the body of this slot. */
  public int messages(int slot) {
    return counts[slot];
  }

  /** Replaces one message of a body by {@code messages}, and returns the slot. */
  public int instead(int slot, int messages) {
    if (slot == 0) {
      return add(messages);
    }
    counts[slot] += messages - 1;
    return slot;
  }

  /** Counts a message of a checkpoint with the body of this slot. */
  public void restore(int slot) {
    growTo(slot + 1);
    counts[slot]++;
    used = Math.max(used, slot + 1);
    restoredUntil = used;
  }

  /** Removes a message with the body of this slot, and returns whether it was the last. */
  public boolean drop(int slot) {
    if (slot == 0) {
      return true;
    }
    counts[slot]--;
    if (counts[slot] > 0) {
      return false;
    }
    if (slot < restoredFrom || slot >= restoredUntil) { // other slots are found by a search
      nextFree[slot] = free;
      free = slot;
    }
    return true;
  }

  private void growTo(int slots) {
    if (slots > counts.length) {
      counts = Arrays.copyOf(counts, Math.max(slots, counts.length * 2));
      nextFree = Arrays.copyOf(nextFree, counts.length);
    }
  }
}
