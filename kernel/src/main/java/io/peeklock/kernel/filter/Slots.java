package io.peeklock.kernel.filter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Numbers for the application properties that rules name, and for the cells they compute in. */
final class Slots {
  private final Map<PropertyName, Integer> slots = new LinkedHashMap<>();
  private final List<PropertyName> names = new ArrayList<>();
  private int[] uses = {};
  private int unused;
  private long nameBytes;
  private int cells;

  /** The number of a name, the same for all its spellings; nobody uses it yet. */
  int of(PropertyName name) {
    Integer known = slots.get(name);
    if (known != null) {
      return known;
    }
    int slot = names.size();
    slots.put(name, slot);
    names.add(name);
    if (slot == uses.length) {
      uses = Arrays.copyOf(uses, slot + slot / 2 + 1);
    }
    unused++;
    nameBytes += HeapSize.ofSlot(name);
    return slot;
  }

  /** Somebody uses a name, once more. */
  void use(int slot) {
    unused -= uses[slot]++ == 0 ? 1 : 0;
  }

  /** Somebody uses a name no longer, once less. */
  void release(int slot) {
    unused += --uses[slot] == 0 ? 1 : 0;
  }

  /** How many names nobody uses. */
  int unused() {
    return unused;
  }

  /** What all of them take of the heap, and evaluating with them. */
  long heapBytes() {
    return nameBytes + (long) HeapSize.CELL * cells;
  }

  PropertyName name(int slot) {
    return names.get(slot);
  }

  int names() {
    return names.size();
  }

  /**
   * A cell for a result, numbered from 0 for each rule: rules are evaluated one after another, so
   * they share them.
   */
  int newCell(int usedByThisRule) {
    cells = Math.max(cells, usedByThisRule + 1);
    return usedByThisRule;
  }

  int cells() {
    return cells;
  }
}
