package io.peeklock.kernel.queue;

import java.util.Arrays;

/**
 * Where changed properties of messages are stored: body id and size by slot. Few messages
 * have any, so their rows only keep a slot. Slot 0 stands for none.
 */
final class OverlayTable {

  private long[] bodyIds = new long[16];
  private int[] bytes = new int[16];
  private int[] nextFree = new int[16];
  private int used = 1;
  private int free;

  int add(long bodyId, int size) {
    int slot = free;
    if (slot == 0) {
      slot = used++;
      growTo(used);
    } else {
      free = nextFree[slot];
    }
    bodyIds[slot] = bodyId;
    bytes[slot] = size;
    return slot;
  }

  private void growTo(int slots) {
    if (slots > bodyIds.length) {
      bodyIds = Arrays.copyOf(bodyIds, slots * 2);
      bytes = Arrays.copyOf(bytes, slots * 2);
      nextFree = Arrays.copyOf(nextFree, slots * 2);
    }
  }

  void remove(int slot) {
    bodyIds[slot] = 0;
    bytes[slot] = 0;
    nextFree[slot] = free;
    free = slot;
  }

  /** The body id of the properties, 0 for none. */
  long bodyId(int slot) {
    return bodyIds[slot];
  }

  /** Their size, 0 for none. */
  int bytes(int slot) {
    return bytes[slot];
  }
}
