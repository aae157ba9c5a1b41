package io.peeklock.kernel.state;

import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.columns.DeadlineHeap;
import io.peeklock.kernel.columns.StoredMemory;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.request.Transaction;
import java.util.Arrays;

/**
 * The message locks: volatile state, gone with the process (S-042, S-116). A lock is a slot in
 * primitive columns, its id is {@code grant counter << 24 | slot}. The slot of an id that was
 * settled, lapsed or never given is free or has another id now, which a comparison shows (I-17).
 *
 * <p>Deciding must change nothing, yet an answer names the ids of the locks that it takes. So a
 * decision <em>reads</em> the next ids through {@link #reserve()}, and its {@code Locked} grant
 * takes exactly those, which {@link #take} checks. Therefore a decision never has an {@code
 * Unlocked} before a {@code Locked}, and nothing may be applied between the decision and its
 * grants.
 */
public final class LockTable {

  public static final int NONE = -1;

  private static final int IN_HEAP = -2; // instead of a link; the place is where the other one was

  private static final int SLOT_BITS = 24;
  private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;
  private static final long COUNTER_MASK = (1L << (Long.SIZE - SLOT_BITS)) - 1;

  private final int maxLocks;
  private final StoredMemory memory;
  private long[] ids = new long[64];
  private long[] numbers = new long[64];
  private long[] deadlines = new long[64];
  private int[] queues = new int[64];
  private int[] before = new int[64];
  private int[] after = new int[64]; // in a free slot: the next free one
  private int used;
  private int free = NONE;
  private int held;
  private long counter;
  private final Enlistments enlistments = new Enlistments();
  private final DeadlineHeap.Slots early =
      new DeadlineHeap.Slots() {
        @Override
        public long deadline(int slot) {
          return deadlines[slot];
        }

        @Override
        public void moved(int slot, int place) {
          before[slot] = place;
          after[slot] = IN_HEAP;
        }
      };

  /**
   * An empty table.
   *
   * @param maxLocks how many locks there may be at a time, at most 2^24
   * @param memory limits them too, by the heap
   */
  public LockTable(int maxLocks, StoredMemory memory) {
    this.maxLocks = Math.min(maxLocks, SLOT_MASK + 1);
    this.memory = memory;
  }

  private int most() {
    return (int) Math.min(maxLocks, memory.mostLocks());
  }

  /** How many more locks fit. */
  public int room() {
    return most() - held;
  }

  /** How many more locks one queue may take, 0 for none. */
  public int roomFor(DeadlineList list) {
    return LockShare.more(most(), room(), list.count());
  }

  /** The largest number of locks with which a queue may take another; below 0 when none may. */
  int mostForMore() {
    return LockShare.mostForMore(most(), room());
  }

  /** Whether a lock on this queue has this id and has not lapsed (S-098). */
  public boolean isHeld(long lockId, QueueId queue, long monotonicMillis) {
    int slot = slotOf(lockId);
    return slot < used
        && ids[slot] == lockId
        && lockId != 0
        && queues[slot] == queue.number()
        && monotonicMillis < deadlines[slot];
  }

  /** The number of the queue that a lock is on, 0 when no lock has this id now. */
  public int queueOf(long lockId) {
    int slot = slotOf(lockId);
    return slot < used && ids[slot] == lockId ? queues[slot] : 0;
  }

  /** The slot of a lock id. */
  public static int slotOf(long lockId) {
    return (int) lockId & SLOT_MASK;
  }

  /** The sequence number of the message under the lock in a slot. */
  public long number(int slot) {
    return numbers[slot];
  }

  /** The id of the lock in a slot. */
  public long id(int slot) {
    return ids[slot];
  }

  /** The deadline of the lock in a slot, on the monotonic clock. */
  public long deadline(int slot) {
    return deadlines[slot];
  }

  /** The slot behind this one in the list, {@link #NONE} for none. */
  int after(int slot) {
    return after[slot];
  }

  /** The earliest deadline of a queue's locks, {@link Long#MAX_VALUE} for none. */
  public long firstDeadline(DeadlineList list) {
    long first = list.head == NONE ? Long.MAX_VALUE : deadlines[list.head];
    DeadlineHeap heap = list.early;
    return heap == null || heap.size() == 0 ? first : Math.min(first, deadlines[heap.at(0)]);
  }

  /** Continues the ids of another table, so that none is given out again. */
  public void goOnBehind(LockTable other) {
    counter = other.counter;
  }

  /** Reads the ids that the next locks get, without taking them. */
  public Reservation reserve() {
    return new Reservation();
  }

  /** The next ids, one after another. */
  public final class Reservation {
    private long nextCounter = counter;
    private int nextUsed = used;
    private int nextFree = free;

    /** The ids of the next {@code count} locks. */
    public long[] ids(int count) {
      long[] reserved = new long[count];
      for (int i = 0; i < count; i++) {
        nextCounter = nextCounter(nextCounter);
        reserved[i] = (nextCounter << SLOT_BITS) | nextSlot();
      }
      return reserved;
    }

    private int nextSlot() {
      if (nextFree == NONE) {
        return nextUsed++;
      }
      int slot = nextFree;
      nextFree = after[slot];
      return slot;
    }
  }

  private static long nextCounter(long counter) {
    return Math.max(1, (counter + 1) & COUNTER_MASK);
  }

  /** Takes a lock; the id must be the next one that {@link #reserve} gives. */
  public int take(long lockId, QueueId queue, long number, long deadline) {
    counter = nextCounter(counter);
    int slot = takeSlot();
    Invariant.check(
        lockId == ((counter << SLOT_BITS) | slot), "locks are taken as they were reserved");
    ids[slot] = lockId;
    queues[slot] = queue.number();
    numbers[slot] = number;
    deadlines[slot] = deadline;
    held++;
    return slot;
  }

  private int takeSlot() {
    Invariant.check(held < maxLocks, "locks are taken while there is room");
    if (free == NONE) {
      growTo(++used);
      return used - 1;
    }
    int slot = free;
    free = after[slot];
    return slot;
  }

  private void growTo(int slots) {
    if (slots > ids.length) {
      int capacity = ids.length * 2;
      ids = Arrays.copyOf(ids, capacity);
      numbers = Arrays.copyOf(numbers, capacity);
      deadlines = Arrays.copyOf(deadlines, capacity);
      queues = Arrays.copyOf(queues, capacity);
      before = Arrays.copyOf(before, capacity);
      after = Arrays.copyOf(after, capacity);
    }
  }

  /** Ends a lock: its id is invalid from now on (S-117). */
  public void release(long lockId, DeadlineList list) {
    int slot = slotOf(lockId);
    Invariant.check(slot < used && ids[slot] == lockId, "only a lock that is there ends");
    if (enlistments.remove(lockId)) {
      list.enlisted(-1);
    } else {
      unlink(slot, list);
    }
    ids[slot] = 0;
    held--;
    after[slot] = free;
    free = slot;
  }

  /** Moves a lock's deadline. */
  public void extend(long lockId, DeadlineList list, long deadline) {
    int slot = slotOf(lockId);
    Invariant.check(slot < used && ids[slot] == lockId, "only a lock that is there is extended");
    if (enlistments.has(lockId)) {
      deadlines[slot] = deadline;
      return;
    }
    unlink(slot, list);
    deadlines[slot] = deadline;
    link(slot, list);
  }

  /** The locks that transactions keep. */
  public Enlistments enlistments() {
    return enlistments;
  }

  /** Enlists a lock in a transaction: it keeps its deadline, but does not lapse (S-382). */
  public void enlist(long lockId, DeadlineList list, Transaction transaction) {
    int slot = slotOf(lockId);
    Invariant.check(slot < used && ids[slot] == lockId, "only a lock that is there is enlisted");
    unlink(slot, list);
    list.enlisted(1);
    enlistments.add(lockId, transaction);
  }

  /** Releases a lock from its transaction, so that it can lapse again. */
  public void withdraw(int slot, DeadlineList list) {
    list.enlisted(-1);
    link(slot, list);
  }

  /** Links a lock by its deadline: at the end, unless lock durations changed. */
  public void link(int slot, DeadlineList list) {
    list.add(1);
    int last = list.tail;
    if (last != NONE && deadlines[last] > deadlines[slot]) {
      list.early = list.early == null ? new DeadlineHeap(early) : list.early;
      list.early.add(slot);
      return;
    }
    before[slot] = last;
    after[slot] = NONE;
    list.tail = slot;
    if (last == NONE) {
      list.head = slot;
    } else {
      after[last] = slot;
    }
  }

  private void unlink(int slot, DeadlineList list) {
    list.add(-1);
    int earlier = before[slot];
    int later = after[slot];
    if (later == IN_HEAP && list.early != null) {
      list.early.remove(earlier);
      return;
    }
    if (earlier == NONE) {
      list.head = later;
    } else {
      after[earlier] = later;
    }
    if (later == NONE) {
      list.tail = earlier;
    } else {
      before[later] = earlier;
    }
  }
}
