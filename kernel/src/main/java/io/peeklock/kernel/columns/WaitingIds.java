package io.peeklock.kernel.columns;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The ids of messages that wait in a backlog and are compared with earlier ones only when they
 * arrive. Whoever would overtake them must not have the id of one of them, or it would be taken for
 * the earlier message (S-266). It answers "perhaps" too often rather than too seldom: it has three
 * bits for each id, among sixteen for each that fits, and forgets ids many at a time.
 */
public final class WaitingIds {

  private static final int LEAST_ROOM = 256;
  private static final int BITS_EACH = 16;
  private static final int PART = 4;
  private static final int LONGS_PER_PLACE = 2; // about as many bytes as a remembered id has

  private final HeldMemory memory;
  private final Deque<Table> tables = new ArrayDeque<>(1);
  private long unknownUpTo; // a sequence number; 0 when all ids are known

  /** Of messages that came one after the other. */
  private static final class Table {
    private final long[] bits;
    private int room;
    private long upTo; // the number of the last message

    Table(int room) {
      this.room = room;
      this.bits = new long[1 + (int) ((long) room * BITS_EACH / Long.SIZE)];
    }

    int places() {
      return bits.length / LONGS_PER_PLACE;
    }

    void set(long high, long low) {
      bits[place(high)] |= marks(low);
    }

    boolean has(long high, long low) {
      long marks = marks(low);
      return (bits[place(high)] & marks) == marks;
    }

    /** The bits of an id are in one number, as each read of memory takes its time. */
    private static long marks(long low) {
      return 1L << low | 1L << (low >>> 6) | 1L << (low >>> 12);
    }

    private int place(long high) {
      long mixed = (high * 0x9E3779B97F4A7C15L) >>> Integer.SIZE;
      return (int) ((mixed * bits.length) >>> Integer.SIZE);
    }
  }

  /** No ids, to be charged to this account. */
  public WaitingIds(HeldMemory memory) {
    this.memory = memory;
  }

  /**
   * Messages came.
   *
   * @param hashes two for each id, zero twice for none; null when the ids are not known
   * @param firstNumber the sequence number of the first one in the backlog
   */
  public void came(long @Nullable [] hashes, long firstNumber) {
    if (hashes == null) {
      unknownUpTo = Long.MAX_VALUE;
      return;
    }
    Table table = tables.peekLast();
    for (int i = 0; i < hashes.length; i += 2) {
      if ((hashes[i] | hashes[i + 1]) != 0) {
        table = table == null || table.room == 0 ? another((hashes.length - i) / 2) : table;
        table.set(hashes[i], hashes[i + 1]);
        table.room--;
        table.upTo = firstNumber + i / 2;
      }
    }
  }

  /**
   * A table with room for these, and for a part of those that there are already: so they stay few,
   * and most of them in the processor's caches.
   */
  private Table another(int coming) {
    long waiting = 0;
    for (Table each : tables) {
      waiting += (long) each.bits.length * Long.SIZE / BITS_EACH;
    }
    Table made = new Table((int) Math.max(Math.max(LEAST_ROOM, coming), waiting / PART));
    tables.addLast(made);
    memory.idsChanged(made.places());
    return made;
  }

  /** Messages up to this number are there whose ids are not known, as after a restart. */
  public void unknown(long upTo) {
    unknownUpTo = Math.max(unknownUpTo, upTo);
  }

  /** Whether a waiting message may have this id; never of no id, which is zero twice. */
  public boolean mayHave(long high, long low) {
    if ((high | low) == 0) {
      return false;
    }
    boolean has = unknownUpTo > 0;
    for (Iterator<Table> each = tables.iterator(); !has && each.hasNext(); ) {
      Table table = each.next();
      has = table.has(high, low);
    }
    return has;
  }

  /** For how many slots of remembered ids it is charged. */
  public int slots() {
    return tables.stream().mapToInt(Table::places).sum();
  }

  /** No message waits with a number below this one any more. */
  public void left(long firstNumber) {
    unknownUpTo = unknownUpTo < firstNumber ? 0 : unknownUpTo;
    for (Table first = tables.peekFirst();
        first != null && first.upTo < firstNumber;
        first = tables.peekFirst()) {
      memory.idsChanged(-first.places());
      tables.removeFirst();
    }
  }

  /** No message waits any more. */
  public void clear() {
    left(Long.MAX_VALUE);
    unknownUpTo = 0;
  }
}
