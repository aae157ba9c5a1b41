package io.peeklock.kernel.columns;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The message ids that a queue saw within its duplicate-detection window (S-266), as 128-bit
 * hashes: two different ids with one hash would lose a message, so 64 bits are not enough. They are
 * in many small tables, so that a full one is rebuilt quickly, without expired ids: at most 32
 * bytes for each id that counts, once a table has more than a few. The capacity differs from table
 * to table, or many would be full at the same batch. Where an id belongs depends on a key too: a
 * client may choose ids for their hashes, and must not fill one table, or one place of it.
 *
 * <p>Whether an id counts depends only on when it came, not on when expired ids are dropped.
 */
public final class DuplicateDetectionHistory {

  private static final int PARTS = 1 << 10;
  private static final int MIN_SLOTS = 16;

  // The free slots of a rebuilt table for each 64 ids, so that a sixth up to a quarter more fit.
  private static final int LEAST_ROOM = 30;
  private static final int MOST_ROOM = 36;

  private long windowMillis;
  private long forgottenUntilMillis = Long.MIN_VALUE;
  private final @Nullable Part[] parts = new Part[PARTS];
  private final LongList newest = new LongList(); // the ids of the newest time
  private long newestMillis;
  private final HeldMemory memory;
  private final long key;

  /** Has no meaning: without it the compiler would drop the reads. */
  long seen;

  /**
   * An empty history with this window, whose ids are charged to this account.
   *
   * @param key what clients do not know; it decides where ids are, and nothing else
   */
  public DuplicateDetectionHistory(long windowMillis, HeldMemory memory, long key) {
    this.windowMillis = windowMillis;
    this.memory = memory;
    this.key = key;
  }

  /**
   * Changes the window (S-282). Ids that have expired by now stay forgotten even under a longer
   * window, as the result must not depend on whether they are still in a table.
   */
  public void changeWindow(long millis, long nowMillis) {
    forgottenUntilMillis = forgottenUntil(nowMillis);
    windowMillis = millis;
  }

  /** Ids that came until this time no longer count. */
  private long forgottenUntil(long nowMillis) {
    return Math.max(nowMillis - windowMillis, forgottenUntilMillis);
  }

  /** Whether the id came within the window before this time. Zero twice stands for no id. */
  public boolean has(long high, long low, long nowMillis) {
    Part part = parts[partOf(high)];
    return part != null
        && (high | low) != 0
        && part.arrivedAt(high, low) > forgottenUntil(nowMillis);
  }

  /**
   * Reads the slots of these ids into the processor's caches, for {@link #has}: read one by one,
   * each would wait for memory. Changes nothing.
   */
  public void prefetch(long[] hashes) {
    long sum = 0;
    for (int i = 0; i < hashes.length; i += 2) {
      Part part = parts[partOf(hashes[i])];
      sum += part == null ? 0 : part.prefetch(hashes[i + 1]);
    }
    seen = sum;
  }

  /** Remembers ids, two numbers for each. */
  public void addAll(long[] hashes, long arrivedAtMillis) {
    for (int i = 0; i < hashes.length; i += 2) {
      add(hashes[i], hashes[i + 1], arrivedAtMillis);
    }
  }

  /** Remembers an id; one that is known gets the later time. */
  public void add(long high, long low, long arrivedAtMillis) {
    if ((high | low) == 0) {
      return;
    }
    if (arrivedAtMillis > newestMillis) {
      newestMillis = arrivedAtMillis;
      newest.clear();
    }
    if (arrivedAtMillis == newestMillis) {
      newest.add(high);
      newest.add(low);
    }
    Part part = parts[partOf(high)];
    if (part == null) {
      part = new Part(LEAST_ROOM + partOf(high) * (MOST_ROOM - LEAST_ROOM) / PARTS, key);
      parts[partOf(high)] = part;
      memory.idsChanged(part.times.length);
    }
    int places = part.times.length;
    part.add(high, low, arrivedAtMillis, forgottenUntil(newestMillis));
    memory.idsChanged(part.times.length - places);
  }

  private int partOf(long high) {
    return (int) (mixed(high, key) >>> (Long.SIZE - 10));
  }

  /** A number whose upper bits depend on all bits of this one, and on the key. */
  private static long mixed(long number, long key) {
    return (number ^ key) * 0x9E3779B97F4A7C15L;
  }

  /** Frees the memory of a history that is not used any more. */
  public void gone() {
    memory.idsChanged(-slots());
  }

  /** The number of slots for ids. */
  public long slots() {
    long slots = 0;
    for (Part part : parts) {
      slots += part == null ? 0 : part.times.length;
    }
    return slots;
  }

  /** The number of tables, for {@link #restored}. */
  public static int parts() {
    return PARTS;
  }

  /** The time of the newest id. */
  public long newestMillis() {
    return newestMillis;
  }

  /** All ids of the newest time. */
  public Columns newest() {
    long[] arrived = new long[newest.size() / 2];
    Arrays.fill(arrived, newestMillis);
    return new Columns(newest.toArray(), arrived);
  }

  /** The ids of a table that count and came before this time; null when there are none. */
  public @Nullable Columns restored(int part, long beforeMillis) {
    Part each = parts[part];
    return each == null ? null : each.columns(forgottenUntil(newestMillis), beforeMillis);
  }

  /** Ids, with two numbers for each, and when they came. */
  public record Columns(long[] hashes, long[] arrivedAtMillis) {}

  /** A hash of the ids that count, whatever else is in the tables. */
  public long hash() {
    long sum = 0;
    for (int part = 0; part < PARTS; part++) {
      Columns columns = restored(part, Long.MAX_VALUE);
      for (int i = 0; columns != null && i < columns.arrivedAtMillis().length; i++) {
        long one = columns.hashes()[2 * i] * 31 + columns.hashes()[2 * i + 1];
        sum += (one * 31 + columns.arrivedAtMillis()[i]) * 0x9E3779B97F4A7C15L;
      }
    }
    return sum;
  }

  /** Open addressing; 20 bytes for a slot, up to four of five taken. */
  private static final class Part {
    private static final int NEVER = Integer.MIN_VALUE;

    private long[] hashes = new long[2 * MIN_SLOTS];
    private int[] times = new int[MIN_SLOTS]; // in milliseconds from the base
    private final int room;
    private final long key;
    private long base;
    private int used;

    Part(int room, long key) {
      this.room = room;
      this.key = key;
      Arrays.fill(times, NEVER);
    }

    long arrivedAt(long high, long low) {
      int slot = slot(high, low);
      return times[slot] == NEVER ? Long.MIN_VALUE : base + times[slot];
    }

    long prefetch(long low) {
      int slot = firstSlot(low);
      return times[slot] + hashes[2 * slot];
    }

    /** The slot of an id, or the free one where it belongs. */
    private int slot(long high, long low) {
      int slot = firstSlot(low);
      while (times[slot] != NEVER && (hashes[2 * slot] != high || hashes[2 * slot + 1] != low)) {
        slot = slot + 1 == times.length ? 0 : slot + 1;
      }
      return slot;
    }

    void add(long high, long low, long arrivedAtMillis, long afterMillis) {
      if ((used + 1) * 5 > times.length * 4 || isFar(arrivedAtMillis)) {
        remake(afterMillis, arrivedAtMillis);
      }
      put(high, low, arrivedAtMillis);
    }

    private boolean isFar(long millis) {
      long distance = millis - base;
      return used > 0 && (distance <= NEVER || distance > Integer.MAX_VALUE);
    }

    private void put(long high, long low, long arrivedAtMillis) {
      if (used == 0) {
        base = arrivedAtMillis;
      }
      int slot = slot(high, low);
      if (times[slot] == NEVER) {
        hashes[2 * slot] = high;
        hashes[2 * slot + 1] = low;
        used++;
      }
      times[slot] = (int) (arrivedAtMillis - base);
    }

    /** Drops expired ids, and makes room for more. */
    private void remake(long afterMillis, long nowMillis) {
      int count = count(afterMillis, Long.MAX_VALUE);
      int slots = Math.max(MIN_SLOTS, count + (int) ((long) count * room / 64) + 1);
      long[] oldHashes = hashes;
      int[] oldTimes = times;
      long oldBase = base;
      hashes = new long[2 * slots];
      times = new int[slots];
      Arrays.fill(times, NEVER);
      used = 0;
      base = nowMillis;
      for (int slot = 0; slot < oldTimes.length; slot++) {
        if (oldTimes[slot] != NEVER && oldBase + oldTimes[slot] > afterMillis) {
          putNew(oldHashes[2 * slot], oldHashes[2 * slot + 1], oldBase + oldTimes[slot]);
        }
      }
    }

    /** Puts a new id into a free slot, which must exist. */
    private void putNew(long high, long low, long arrivedAtMillis) {
      if (used == 0) {
        base = arrivedAtMillis;
      }
      int slot = firstSlot(low);
      while (times[slot] != NEVER) {
        slot = slot + 1 == times.length ? 0 : slot + 1;
      }
      hashes[2 * slot] = high;
      hashes[2 * slot + 1] = low;
      times[slot] = (int) (arrivedAtMillis - base);
      used++;
    }

    /** The first slot of an id, without a division, which would take as long as everything else. */
    private int firstSlot(long low) {
      return (int) Math.unsignedMultiplyHigh(mixed(low, key), times.length);
    }

    private int count(long afterMillis, long beforeMillis) {
      int count = 0;
      for (int slot = 0; slot < times.length; slot++) {
        count += counts(slot, afterMillis, beforeMillis) ? 1 : 0;
      }
      return count;
    }

    @Nullable Columns columns(long afterMillis, long beforeMillis) {
      int count = count(afterMillis, beforeMillis);
      if (count == 0) {
        return null;
      }
      long[] pairs = new long[2 * count];
      long[] arrived = new long[count];
      int at = 0;
      for (int slot = 0; slot < times.length; slot++) {
        if (counts(slot, afterMillis, beforeMillis)) {
          pairs[2 * at] = hashes[2 * slot];
          pairs[2 * at + 1] = hashes[2 * slot + 1];
          arrived[at] = base + times[slot];
          at++;
        }
      }
      return new Columns(pairs, arrived);
    }

    private boolean counts(int slot, long afterMillis, long beforeMillis) {
      long arrived = base + times[slot];
      return times[slot] != NEVER && arrived > afterMillis && arrived < beforeMillis;
    }
  }
}
