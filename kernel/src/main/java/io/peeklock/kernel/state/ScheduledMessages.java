package io.peeklock.kernel.state;

import static io.peeklock.kernel.entity.QueueDefinition.FOREVER;

import io.peeklock.kernel.columns.Chunk;
import io.peeklock.kernel.columns.ChunkAllocator;
import io.peeklock.kernel.columns.ChunkDirectory;
import io.peeklock.kernel.columns.HeldMemory;
import io.peeklock.kernel.columns.MessageTables;
import io.peeklock.kernel.columns.Place;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.MessagesRestored;
import org.jspecify.annotations.Nullable;

/**
 * The scheduled messages of one queue (S-148), by sequence number. They are in chunks like active
 * messages, and cost as much memory. Here the expiry column has the due time of each, so that the
 * directory's bounds show where to search, and the column of enqueued times has when it expires if
 * it becomes active exactly then.
 */
public final class ScheduledMessages {

  private final ChunkDirectory chunks;
  private final ChunkAllocator space;
  private long count;
  private long bytes;
  private long dueBound = FOREVER;
  private final @Nullable SessionTable sessions;
  private long waitsUntilMillis = Long.MIN_VALUE;

  ScheduledMessages(@Nullable SessionTable sessions, HeldMemory memory) {
    this.chunks = new ChunkDirectory(memory);
    this.space = new ChunkAllocator(chunks);
    this.sessions = sessions;
  }

  public long count() {
    return count;
  }

  long bytes() {
    return bytes;
  }

  /** No message becomes active before this time. */
  public long dueBound() {
    return Math.max(dueBound, waitsUntilMillis);
  }

  /** Holds all messages back until this time, even due ones. */
  public void waitUntil(long untilMillis) {
    waitsUntilMillis = untilMillis;
  }

  public ChunkDirectory chunks() {
    return chunks;
  }

  public Chunk chunk(long place) {
    return chunks.chunk(Place.chunk(place));
  }

  /** When a scheduled message becomes active, by wall time. */
  public static long dueAtMillis(Chunk chunk, int row) {
    return chunk.expiresAtMillis(row);
  }

  /** When a message expires that becomes active at this time instead of when it was due. */
  public static long expiresAtMillis(Chunk chunk, int row, long activeAtMillis) {
    long expires = chunk.enqueuedAtMillis(row);
    return expires == FOREVER ? FOREVER : expires - dueAtMillis(chunk, row) + activeAtMillis;
  }

  /** The place of a message, {@link Place#NONE} when it is not scheduled here. */
  public long find(long number) {
    int i = chunks.covering(number);
    int row = i < 0 ? -1 : chunks.chunk(i).find(number);
    return row < 0 ? Place.NONE : Place.of(i, row);
  }

  /** The message with this number or the next higher one, {@link Place#NONE} for none. */
  public long firstFrom(long number) {
    return chunks.presentFrom(number);
  }

  /** The message after this place, {@link Place#NONE} for none. */
  public long next(long place) {
    return chunks.presentFrom(Place.chunk(place), Place.row(place) + 1);
  }

  /** Stores a burst: at the end, or between others if its numbers were given before. */
  public void add(Fact.Scheduled fact, boolean amid, long index) {
    int[] sizes = fact.sizes();
    long[] expiries = fact.expiresAtMillis();
    for (int k = 0; k < sizes.length; k++) {
      long number = fact.firstSequenceNumber() + k;
      int i = amid ? space.amid(number) : space.atEnd(number);
      Chunk chunk = chunks.chunk(i);
      int row = amid ? chunk.insert(chunk.atOrAfter(number), number) : chunk.append(number);
      chunk.fill(row, fact.firstBodyId() + k, sizes[k], fact.headerBytes()[k]);
      chunk.fillTimes(row, expiries == null ? FOREVER : expiries[k], fact.dueAtMillis()[k]);
      chunk.touched(index);
      join(chunk, row, fact.sessionIds(), k);
      count(i, row, fact.dueAtMillis()[k]);
    }
  }

  /** Adds messages of a checkpoint. */
  public void restore(MessagesRestored fact, MessageTables tables, long index) {
    Chunk chunk = RestoredRows.chunk(fact, tables, chunks.memory(), index);
    int i = space.restored(chunk);
    for (int row = 0; row < chunk.rows(); row++) {
      join(chunk, row, fact.sessionIds(), row);
      count(i, row, dueAtMillis(chunk, row));
    }
  }

  private void join(Chunk chunk, int row, String @Nullable [] sessionIds, int k) {
    if (sessions != null && sessionIds != null) {
      chunk.setSessionSlot(row, sessions.arrived(sessionIds[k]));
      sessions.scheduled(chunk.sessionSlot(row), chunk.number(row));
    }
  }

  private void count(int i, int row, long dueAtMillis) {
    count++;
    bytes += chunks.chunk(i).size(row);
    chunks.addAvailable(i, 1);
    chunks.lowerExpiryBound(i, dueAtMillis);
    dueBound = Math.min(dueBound, dueAtMillis);
  }

  /** Removes a message that becomes active or is cancelled. */
  public void remove(long place) {
    Chunk chunk = chunk(place);
    int row = Place.row(place);
    count--;
    bytes -= chunk.size(row);
    chunks.addAvailable(Place.chunk(place), -1);
    if (sessions != null) {
      sessions.unscheduled(chunk.sessionSlot(row), chunk.number(row));
      sessions.left(chunk.sessionSlot(row));
    }
    chunk.remove(row);
    space.tidy(Place.chunk(place));
  }

  /** Computes again when the first of the messages in the chunk of this number is due. */
  public void renewDueBound(long number) {
    space.renewExpiryBound(number);
  }

  /** Computes again when the first message is due, from the bounds of the chunks. */
  public void renewDueBound() {
    dueBound = chunks.earliestExpiryBound();
  }
}
