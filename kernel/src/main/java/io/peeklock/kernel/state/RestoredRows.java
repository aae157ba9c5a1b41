package io.peeklock.kernel.state;

import static io.peeklock.kernel.entity.QueueDefinition.FOREVER;

import io.peeklock.kernel.columns.Chunk;
import io.peeklock.kernel.columns.ForwardingHistory;
import io.peeklock.kernel.columns.HeldMemory;
import io.peeklock.kernel.columns.MessageTables;
import io.peeklock.kernel.columns.OverlayTable;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.MessagesRestored;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Converts the messages of a chunk to a fact of a checkpoint, and back. */
public final class RestoredRows {

  private RestoredRows() {}

  /** The fact of a chunk; null when all its messages are gone. */
  public static @Nullable MessagesRestored fact(
      QueueId queue,
      Chunk chunk,
      boolean scheduled,
      MessageTables tables,
      @Nullable SessionTable sessions) {
    int count = chunk.live();
    if (count == 0) {
      return null;
    }
    Columns columns = new Columns(count);
    int at = 0;
    for (int row = 0; row < chunk.rows(); row++) {
      if (chunk.isPresent(row)) {
        columns.set(at, chunk, row, tables);
        at++;
      }
    }
    return columns.fact(queue, scheduled, sessions);
  }

  /** The chunk of a fact. */
  static Chunk chunk(MessagesRestored fact, MessageTables tables, HeldMemory memory, long index) {
    int count = fact.sequenceNumbers().length;
    Chunk chunk = new Chunk(capacity(count), memory);
    for (int k = 0; k < count; k++) {
      int row = chunk.append(fact.sequenceNumbers()[k]);
      chunk.fill(row, fact.bodyIds()[k], fact.sizes()[k], fact.headerBytes()[k]);
      long[] expiries = fact.expiresAtMillis();
      chunk.fillTimes(row, fact.enqueuedAtMillis()[k], expiries == null ? FOREVER : expiries[k]);
      fillState(chunk, row, fact, k);
      fillOverlay(chunk, row, fact, k, tables.overlays(), memory);
      fillOrigin(chunk, row, fact, k, tables);
    }
    chunk.touched(index);
    return chunk;
  }

  private static int capacity(int rows) {
    int power = rows <= 1 ? 1 : Integer.highestOneBit(rows - 1) * 2;
    return Math.min(Chunk.MAX_ROWS, Math.max(Chunk.MIN_ROWS, power));
  }

  private static void fillState(Chunk chunk, int row, MessagesRestored fact, int k) {
    DeadLetterCause[] causes = fact.causes();
    if (causes != null) {
      chunk.deadLetter(row, causes[k]);
    }
    boolean[] deferred = fact.deferred();
    if (deferred != null && deferred[k]) {
      chunk.defer(row);
    }
    int[] counts = fact.deliveryCounts();
    if (counts != null) {
      chunk.setDeliveryCount(row, counts[k]);
    }
  }

  private static void fillOverlay(
      Chunk chunk,
      int row,
      MessagesRestored fact,
      int k,
      OverlayTable overlays,
      HeldMemory memory) {
    Fact.@Nullable StoredOverlay[] stored = fact.overlays();
    Fact.StoredOverlay overlay = stored == null ? null : stored[k];
    if (overlay != null) {
      chunk.setOverlaySlot(row, overlays.add(overlay.bodyId(), overlay.bytes()));
      memory.overlayCame(overlay.bytes());
    }
  }

  private static void fillOrigin(
      Chunk chunk, int row, MessagesRestored fact, int k, MessageTables tables) {
    long[] enqueued = fact.enqueuedNumbers();
    if (enqueued != null) {
      chunk.setEnqueuedNumber(row, enqueued[k]);
    }
    int[] slots = fact.sharedSlots();
    if (slots != null && slots[k] != 0) {
      chunk.setSharedSlot(row, slots[k]);
      tables.shared().restore(slots[k]);
    }
    int[] hops = fact.hops();
    if (hops != null && hops[k] != 0) {
      String[] sources = fact.deadLetterSources();
      chunk.setForwardings(
          row, tables.forwardings().of(hops[k], sources == null ? "" : sources[k]));
    }
  }

  /** The columns of a fact; columns without values are left out at the end. */
  private static final class Columns {
    private final long[] numbers;
    private final long[] bodyIds;
    private final int[] sizes;
    private final int[] headerBytes;
    private final long[] enqueuedAt;
    private final int[] sessionSlots;
    private long @Nullable [] expiresAt;
    private int @Nullable [] deliveryCounts;
    private boolean @Nullable [] deferred;
    private DeadLetterCause @Nullable [] causes;
    private Fact.@Nullable StoredOverlay @Nullable [] overlays;
    private long @Nullable [] enqueuedNumbers;
    private int @Nullable [] sharedSlots;
    private int @Nullable [] hops;
    private String @Nullable [] deadLetterSources;

    Columns(int count) {
      numbers = new long[count];
      bodyIds = new long[count];
      sizes = new int[count];
      headerBytes = new int[count];
      enqueuedAt = new long[count];
      sessionSlots = new int[count];
    }

    void set(int at, Chunk chunk, int row, MessageTables tables) {
      numbers[at] = chunk.number(row);
      bodyIds[at] = chunk.bodyId(row);
      sizes[at] = chunk.size(row);
      headerBytes[at] = chunk.headerBytes(row);
      enqueuedAt[at] = chunk.enqueuedAtMillis(row);
      sessionSlots[at] = chunk.sessionSlot(row);
      setExpiry(at, chunk.expiresAtMillis(row));
      if (chunk.deliveryCount(row) != 0) {
        int[] counts = deliveryCounts == null ? new int[numbers.length] : deliveryCounts;
        counts[at] = chunk.deliveryCount(row);
        deliveryCounts = counts;
      }
      if (chunk.isDeferred(row)) {
        boolean[] aside = deferred == null ? new boolean[numbers.length] : deferred;
        aside[at] = true;
        deferred = aside;
      }
      setCause(at, chunk.cause(row));
      setOverlay(at, chunk.overlaySlot(row), tables.overlays());
      setOrigin(at, chunk.enqueuedNumber(row), chunk.sharedSlot(row));
      setForwardings(at, chunk.forwardings(row), tables.forwardings());
    }

    private void setForwardings(int at, int packed, ForwardingHistory forwardings) {
      if (packed != 0) {
        int[] all = hops == null ? new int[numbers.length] : hops;
        all[at] = ForwardingHistory.hops(packed);
        hops = all;
      }
      String source = forwardings.deadLetterSource(packed);
      if (source != null) {
        String[] all = deadLetterSources;
        if (all == null) {
          all = new String[numbers.length];
          Arrays.fill(all, "");
          deadLetterSources = all;
        }
        all[at] = source;
      }
    }

    private void setOrigin(int at, long enqueuedNumber, int sharedSlot) {
      if (enqueuedNumber != 0) {
        long[] all = enqueuedNumbers == null ? new long[numbers.length] : enqueuedNumbers;
        all[at] = enqueuedNumber;
        enqueuedNumbers = all;
      }
      if (sharedSlot != 0) {
        int[] all = sharedSlots == null ? new int[numbers.length] : sharedSlots;
        all[at] = sharedSlot;
        sharedSlots = all;
      }
    }

    private void setExpiry(int at, long millis) {
      if (millis == FOREVER && expiresAt == null) {
        return;
      }
      long[] expiries = expiresAt;
      if (expiries == null) {
        expiries = new long[numbers.length];
        Arrays.fill(expiries, FOREVER);
        expiresAt = expiries;
      }
      expiries[at] = millis;
    }

    private void setCause(int at, DeadLetterCause cause) {
      if (cause == DeadLetterCause.NONE && causes == null) {
        return;
      }
      DeadLetterCause[] all = causes;
      if (all == null) {
        all = new DeadLetterCause[numbers.length];
        Arrays.fill(all, DeadLetterCause.NONE);
        causes = all;
      }
      all[at] = cause;
    }

    private String[] sessionIds(SessionTable sessions) {
      String[] ids = new String[sessionSlots.length];
      for (int i = 0; i < ids.length; i++) {
        ids[i] = sessions.bySlot(sessionSlots[i]).id;
      }
      return ids;
    }

    private void setOverlay(int at, int slot, OverlayTable table) {
      if (slot != 0) {
        Fact.@Nullable StoredOverlay[] all =
            overlays == null ? new Fact.StoredOverlay[numbers.length] : overlays;
        all[at] = new Fact.StoredOverlay(table.bodyId(slot), table.bytes(slot));
        overlays = all;
      }
    }

    MessagesRestored fact(QueueId queue, boolean scheduled, @Nullable SessionTable sessions) {
      return new MessagesRestored(
          queue,
          numbers,
          bodyIds,
          sizes,
          headerBytes,
          enqueuedAt,
          expiresAt,
          deliveryCounts,
          deferred,
          causes,
          overlays,
          sessions == null ? null : sessionIds(sessions),
          scheduled,
          enqueuedNumbers,
          sharedSlots,
          hops,
          deadLetterSources);
    }
  }
}
