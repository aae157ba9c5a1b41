package io.peeklock.kernel.columns;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The message ids that a queue saw within its duplicate-detection window (S-266), as 128-bit
 * hashes: two different ids with one hash would lose a message, so 64 bits are not enough. Parted
 * into many small tables, so that one that is full is made anew in a moment, without those whose
 * time is over: at most 32 bytes for each id that counts, once a table has more than a few. How
 * much room a new one has differs from table to table, or many would be full with the same batch.
 *
 * <p>Whether an id counts depends on nothing but when it came; what is dropped and when does not
 * show.
 */
public final class DuplicateDetectionHistory {

  private static final int PARTS = 1 << 10;
  private static final int MIN_SLOTS = 16;

  // Free slots of a table that is made anew, for each 64 ids: a sixth, up to a quarter, may come.
  private static final int LEAST_ROOM = 30;
  private static final int MOST_ROOM = 36;

  private long windowMillis;
  private long forgottenUntilMillis = Long.MIN_VALUE;
  private final @Nullable Part[] parts = new Part[PARTS];
  private final LongList newest = new LongList(); // those that came at the newest time
  private long newestMillis;
  private final HeldMemory memory;

  /** Says nothing: reads whose sum nobody keeps were left out by the compiler. */
  long seen;

  /** An empty one that goes back so far, whose ids count in this memory. */
  public DuplicateDetectionHistory(long windowMillis, HeldMemory memory) {
    this.windowMillis = windowMillis;
    this.memory = memory;
  }

  /**
   * From now on it goes back so far (S-282). What is forgotten by now stays so, however far that
   * is: whether it is still in a table must not show.
   */
  public void changeWindow(long millis, long nowMillis) {
    forgottenUntilMillis = forgottenUntil(nowMillis);
    windowMillis = millis;
  }

  /** Those that came until then do not count at this time. */
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
   * Reads where these ids belong, so that what {@link #has} looks at is in the processor's caches:
   * one after the other, each would wait for the memory. Changes nothing.
   */
  public void prefetch(long[] hashes) {
    long sum = 0;
    for (int i = 0; i < hashes.length; i += 2) {
      Part part = parts[partOf(hashes[i])];
      sum += part == null ? 0 : part.prefetch(hashes[i + 1]);
    }
    seen = sum;
  }

  /** Ids came, two numbers for each. */
  public void addAll(long[] hashes, long arrivedAtMillis) {
    for (int i = 0; i < hashes.length; i += 2) {
      add(hashes[i], hashes[i + 1], arrivedAtMillis);
    }
  }

  /** An id came; one that is here already comes to a later time. */
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
      part = new Part(LEAST_ROOM + partOf(high) * (MOST_ROOM - LEAST_ROOM) / PARTS);
      parts[partOf(high)] = part;
      memory.idsChanged(part.times.length);
    }
    int places = part.times.length;
    part.add(high, low, arrivedAtMillis, forgottenUntil(newestMillis));
    memory.idsChanged(part.times.length - places);
  }

  private static int partOf(long high) {
    return (int) (high >>> (Long.SIZE - 10));
  }

  /** Nobody asks it any more. */
  public void gone() {
    memory.idsChanged(-slots());
  }

  /** How many ids there is room for. */
  public long slots() {
    long slots = 0;
    for (Part part : parts) {
      slots += part == null ? 0 : part.times.length;
    }
    return slots;
  }

  /** How many tables there are to go through with {@link #restored}. */
  public static int parts() {
    return PARTS;
  }

  /** The newest time at which an id came. */
  public long newestMillis() {
    return newestMillis;
  }

  /** All that came at the newest time. */
  public Columns newest() {
    long[] arrived = new long[newest.size() / 2];
    Arrays.fill(arrived, newestMillis);
    return new Columns(newest.toArray(), arrived);
  }

  /** What a table has that came before this time and counts; null when nothing does. */
  public @Nullable Columns restored(int part, long beforeMillis) {
    Part each = parts[part];
    return each == null ? null : each.columns(forgottenUntil(newestMillis), beforeMillis);
  }

  /** Two numbers for each id, and when it came. */
  public record Columns(long[] hashes, long[] arrivedAtMillis) {}

  /** One number for what counts, whatever else lies in the tables. */
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
    private long base;
    private int used;

    Part(int room) {
      this.room = room;
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

    /** Forgets what is over, and makes room for more. */
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

    /** One that is not here; there is room. */
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

    /** Without a division, which would take as long as all else. */
    private int firstSlot(long low) {
      return (int) Math.unsignedMultiplyHigh(low * 0x9E3779B97F4A7C15L, times.length);
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
