package io.peeklock.kernel.columns;

import java.util.Arrays;

/**
 * How many messages have the same body: the copies of a topic's message. Their rows keep a slot, so
 * that nothing is looked up. Slot 0 stands for a body that one message has.
 */
public final class SharedBodies {

  private int[] counts = new int[16];
  private int[] nextFree = new int[16];
  private int used = 1;
  private int free;
  private int restoredFrom = 1;
  private int restoredUntil = 1;

  /** A slot for a body that so many messages have, 0 for one. */
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

  /** So many messages have the body of this slot instead of one of those that had it; the slot. */
  public int instead(int slot, int messages) {
    if (slot == 0) {
      return add(messages);
    }
    counts[slot] += messages - 1;
    return slot;
  }

  /** One more message of a checkpoint has the body of this slot. */
  public void restore(int slot) {
    growTo(slot + 1);
    counts[slot]++;
    used = Math.max(used, slot + 1);
    restoredUntil = used;
  }

  /** One message less has the body of this slot; whether none has it now. */
  public boolean drop(int slot) {
    if (slot == 0) {
      return true;
    }
    counts[slot]--;
    if (counts[slot] > 0) {
      return false;
    }
    if (slot < restoredFrom || slot >= restoredUntil) { // the others are found by going through
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
