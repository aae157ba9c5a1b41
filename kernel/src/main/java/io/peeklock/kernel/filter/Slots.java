package io.peeklock.kernel.filter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Slots for the application properties that rules name, and for the cells they compute in. The slot
 * of an unused name is given to another name.
 */
final class Slots {
  // a tree: a hundred thousand rules may have as many names, and a tree never grows as a whole
  private final Map<PropertyName, Integer> slots = new TreeMap<>();
  private final List<@Nullable PropertyName> names = new ArrayList<>();
  private int[] uses = {};
  private int[] free = {};
  private int freeCount;
  private long nameBytes;
  private int cells;

  /** The slot of a name, the same for all spellings; counts one more use. */
  int use(PropertyName name) {
    Integer known = slots.get(name);
    int slot = known == null ? add(name) : known;
    uses[slot]++;
    return slot;
  }

  private int add(PropertyName name) {
    int slot = freeCount == 0 ? names.size() : free[--freeCount];
    if (slot == names.size()) {
      names.add(name);
    } else {
      names.set(slot, name);
    }
    if (slot == uses.length) {
      uses = Arrays.copyOf(uses, slot + slot / 2 + 1);
    }
    slots.put(name, slot);
    nameBytes += HeapSize.ofSlot(name);
    return slot;
  }

  /** Counts one use less of a name. */
  void release(int slot) {
    if (--uses[slot] > 0) {
      return;
    }
    PropertyName name = name(slot);
    slots.remove(name);
    nameBytes -= HeapSize.ofSlot(name);
    names.set(slot, null);
    if (freeCount == free.length) {
      free = Arrays.copyOf(free, freeCount + freeCount / 2 + 1);
    }
    free[freeCount++] = slot;
  }

  /** The heap of all slots, and of evaluation with them. */
  long heapBytes() {
    return nameBytes + (long) HeapSize.FREE_SLOT * freeCount + (long) HeapSize.CELL * cells;
  }

  /** The name of a slot. */
  PropertyName name(int slot) {
    PropertyName name = names.get(slot);
    if (name == null) {
      throw new IllegalStateException("nobody uses the name with number " + slot);
    }
    return name;
  }

  /** How many names there are. */
  int names() {
    return slots.size();
  }

  /** All slots are below this number. */
  int end() {
    return names.size();
  }

  /**
   * A cell for a result, numbered from 0 for each rule: rules are evaluated one after another, so
   * they share cells.
   */
  int newCell(int usedByThisRule) {
    cells = Math.max(cells, usedByThisRule + 1);
    return usedByThisRule;
  }

  int cells() {
    return cells;
  }
}
