package io.peeklock.kernel.filter;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One message during evaluation: each of its properties is read once, however many rules use it.
 * Reused for one message after another.
 */
final class Evaluation {
  private static final FilterSubject NOTHING =
      new FilterSubject() {
        @Override
        public void system(SystemProperty property, FilterValue into) {}

        @Override
        public void user(PropertyName name, FilterValue into) {}
      };
  private static final FilterValue[] NONE = {};

  /** Version and variant of a random GUID, RFC 9562 4.1 and 4.2. */
  private static final long VERSION_4 = 0x4000L;

  private final Slots slots;
  private final Steps steps = new Steps();
  private final @Nullable FilterValue[] system = new @Nullable FilterValue[SystemProperty.count()];
  private final long[] systemRead = new long[SystemProperty.count()];
  private @Nullable FilterValue[] user = {};
  private long[] userRead = {};
  private int[] read = {}; // the properties read from this message
  private int reads;
  private FilterValue[] cells = NONE;
  private long[] cellUsed = {};
  private int[] used = {}; // the cells used for this message
  private int uses;
  private FilterSubject subject = NOTHING;
  private long message;
  private long toReadLeft;
  private long seed;

  Evaluation(Slots slots) {
    this.slots = slots;
  }

  private static FilterValue[] cells(FilterValue[] before, int count) {
    var cells = Arrays.copyOf(before, count);
    for (int i = before.length; i < count; i++) {
      cells[i] = new FilterValue();
    }
    return cells;
  }

  /**
   * Turns to a message.
   *
   * @param chance the seed of {@code newid()}
   */
  void begin(FilterSubject next, long chance) {
    subject = next;
    seed = chance;
    message++;
    toReadLeft = RuleBudget.STEPS_PER_MESSAGE;
    if (user.length < slots.end()) {
      int places = slots.end() + slots.end() / 8; // so that not every new name copies all
      user = Arrays.copyOf(user, places);
      userRead = Arrays.copyOf(userRead, places);
      read = new int[places];
    }
    if (cells.length < slots.cells()) {
      cells = cells(cells, slots.cells());
      cellUsed = Arrays.copyOf(cellUsed, slots.cells());
      used = new int[slots.cells()];
    }
  }

  /** Releases the message, and everything computed from it. */
  void end() {
    subject = NOTHING;
    for (int i = 0; i < reads; i++) {
      FilterValue value = user[read[i]];
      if (value != null) {
        value.letGo();
      }
    }
    for (int i = 0; i < uses; i++) {
      cells[used[i]].letGo();
    }
    for (int i = 0; i < system.length; i++) {
      FilterValue value = system[i];
      if (value != null && systemRead[i] == message) {
        value.letGo();
      }
    }
    reads = 0;
    uses = 0;
  }

  /** The steps that evaluation may still take. */
  Steps steps() {
    return steps;
  }

  FilterValue user(int slot) {
    FilterValue value = user[slot];
    if (value == null) {
      value = new FilterValue();
      user[slot] = value;
    }
    if (userRead[slot] != message) {
      toReadLeft -= subject.readCost();
      if (toReadLeft < 0) {
        throw new EvaluationFailed("too many properties are looked for in the message");
      }
      subject.user(slots.name(slot), value.setMissing());
      read[reads++] = slot;
      userRead[slot] = message; // not before: an unreadable property fails for each rule
      steps.spend(subject.readCost()); // afterwards: the next rule finds it read
    }
    return value;
  }

  FilterValue system(int index) {
    FilterValue value = system[index];
    if (value == null) {
      value = new FilterValue();
      system[index] = value;
    }
    if (systemRead[index] != message) {
      subject.system(SystemProperty.at(index), value.setMissing());
      systemRead[index] = message;
    }
    return value;
  }

  /** An application property whose name is computed. */
  FilterValue user(String name, FilterValue into) {
    steps.spend((long) name.length() + subject.readCost());
    subject.user(new PropertyName(name), into.setMissing());
    return into;
  }

  FilterValue cell(int number) {
    if (cellUsed[number] != message) {
      cellUsed[number] = message;
      used[uses++] = number;
    }
    return cells[number];
  }

  /** A new GUID, the same in every evaluation with the same seed. */
  FilterValue newId(FilterValue into) {
    seed += 0x9E37_79B9_7F4A_7C15L;
    long high = Comparison.mix(seed);
    long low = Comparison.mix(seed ^ Long.rotateLeft(high, 32));
    return into.setGuid((high & ~0xF000L) | VERSION_4, (low & ~(3L << 62)) | (1L << 63));
  }
}
