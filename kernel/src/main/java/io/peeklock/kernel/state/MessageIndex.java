package io.peeklock.kernel.state;

import static io.peeklock.kernel.entity.QueueDefinition.FOREVER;

import io.peeklock.kernel.columns.Chunk;
import io.peeklock.kernel.columns.ChunkAllocator;
import io.peeklock.kernel.columns.ChunkDirectory;
import io.peeklock.kernel.columns.HeldMemory;
import io.peeklock.kernel.columns.MessageTables;
import io.peeklock.kernel.columns.Place;
import io.peeklock.kernel.columns.ReadyIndex;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.MessagesRestored;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one queue by sequence number, with the next one to deliver.
 *
 * <p>A message is named by its {@link Place}, which {@link #find} or a walk returns, and which is
 * valid until the index changes.
 *
 * <p>The next message is the available one with the lowest number (S-028, S-135, S-137): {@link
 * ReadyIndex#advance()} walks on from its last position, by whole chunks when nothing in them is
 * available, so that neither a burst nor millions of deferred or locked messages in front slow a
 * delivery down.
 */
public final class MessageIndex {

  private final ChunkDirectory chunks;
  private final ChunkAllocator space;
  private final ReadyIndex readyIndex;
  private final @Nullable SessionTable sessions;
  private long active;
  private long deferred;
  private long bytes;

  /**
   * An empty index.
   *
   * @param expires false in a dead-letter queue (S-176) and in the backlog of a topic
   * @param sessions the sessions of the messages; null when the queue has no sessions
   */
  MessageIndex(boolean expires, @Nullable SessionTable sessions, HeldMemory memory) {
    this.chunks = new ChunkDirectory(memory);
    this.space = new ChunkAllocator(chunks);
    this.readyIndex = new ReadyIndex(chunks, expires);
    this.sessions = sessions;
  }

  /** The number of active messages, locked or not. */
  public long active() {
    return active;
  }

  /** The number of deferred messages, locked or not. */
  public long deferred() {
    return deferred;
  }

  /** The number of active messages that are not locked. */
  public long available() {
    return readyIndex.count();
  }

  /** The bytes of messages and their changed properties. */
  public long bytes() {
    return bytes;
  }

  /** Changes the bytes, for changed properties. */
  public void addBytes(long change) {
    bytes += change;
  }

  /** The place of a message, {@link Place#NONE} when it is not here. */
  public long find(long number) {
    int i = chunks.covering(number);
    int row = i < 0 ? -1 : chunks.chunk(i).find(number);
    return row < 0 ? Place.NONE : Place.of(i, row);
  }

  /** The first available message, {@link Place#NONE} for none. */
  public long firstAvailable() {
    return readyIndex.count() == 0 ? Place.NONE : find(readyIndex.firstNumber());
  }

  /** The available message after this place, {@link Place#NONE} for none. */
  public long nextAvailable(long place) {
    return readyIndex.from(Place.chunk(place), Place.row(place) + 1);
  }

  /** The message with this number or the next higher one, {@link Place#NONE} for none. */
  public long firstFrom(long number) {
    return chunks.presentFrom(number);
  }

  /** The message after this place, {@link Place#NONE} for none. */
  public long next(long place) {
    return chunks.presentFrom(Place.chunk(place), Place.row(place) + 1);
  }

  /** The chunk of a place, for reading. */
  public Chunk chunk(long place) {
    return chunks.chunk(Place.chunk(place));
  }

  /** The bytes of a message. */
  public int size(long place) {
    return chunk(place).size(Place.row(place));
  }

  /** The sequence number of a message. */
  public long number(long place) {
    return chunk(place).number(Place.row(place));
  }

  /** Stores a burst at the end. */
  public void append(Fact.Enqueued fact, long index) {
    int[] sizes = fact.sizes();
    long[] expiries = fact.expiresAtMillis();
    for (int k = 0; k < sizes.length; k++) {
      long number = fact.firstSequenceNumber() + k;
      int i = space.atEnd(number);
      Chunk chunk = chunks.chunk(i);
      int row = chunk.append(number);
      chunk.fill(row, fact.firstBodyId() + k, sizes[k], fact.headerBytes()[k]);
      chunk.fillTimes(row, fact.enqueuedAtMillis(), expiries == null ? FOREVER : expiries[k]);
      chunk.touched(index);
      join(chunk, row, fact.sessionIds(), k);
      readyIndex.add(i, row);
      enter(chunk, row);
      bytes += sizes[k];
    }
    active += sizes.length;
  }

  /** Adds a due scheduled message at the end, with a new number (S-151). */
  public void append(
      Chunk scheduled,
      int from,
      long number,
      long enqueuedAtMillis,
      long expiresAtMillis,
      long index) {
    Row row = open(number);
    Chunk chunk = row.chunk();
    chunk.copyRow(row.row(), scheduled, from);
    chunk.fillTimes(row.row(), enqueuedAtMillis, expiresAtMillis);
    if (sessions != null) {
      sessions.arrived(chunk.sessionSlot(row.row()));
    }
    close(row, index);
  }

  /** A row that the caller fills. */
  public record Row(int i, Chunk chunk, int row) {}

  /** Opens a row at the end, which the caller fills and {@link #close closes}. */
  public Row open(long number) {
    int i = space.atEnd(number);
    Chunk chunk = chunks.chunk(i);
    return new Row(i, chunk, chunk.append(number));
  }

  /** Adds the message of a row that is filled. */
  public void close(Row row, long index) {
    row.chunk().touched(index);
    readyIndex.add(row.i(), row.row());
    enter(row.chunk(), row.row());
    bytes += row.chunk().size(row.row());
    active++;
  }

  /** Adds a message of another queue as a dead letter with its number and times. */
  void addDeadLetter(MessageIndex source, long sourcePlace, DeadLetterCause cause, long index) {
    long number = source.number(sourcePlace);
    int i = space.amid(number);
    Chunk chunk = chunks.chunk(i);
    int row = chunk.insert(chunk.atOrAfter(number), number);
    chunk.copyRow(row, source.chunk(sourcePlace), Place.row(sourcePlace));
    chunk.deadLetter(row, cause);
    chunk.setLockSlot(row, 0);
    chunk.setSessionSlot(row, 0);
    close(new Row(i, chunk, row), index);
  }

  /** Adds messages of a checkpoint. */
  public void restore(MessagesRestored fact, MessageTables tables, long index) {
    Chunk chunk = RestoredRows.chunk(fact, tables, chunks.memory(), index);
    int i = space.restored(chunk);
    for (int row = 0; row < chunk.rows(); row++) {
      join(chunk, row, fact.sessionIds(), row);
      bytes += chunk.size(row) + tables.overlays().bytes(chunk.overlaySlot(row));
      if (chunk.isDeferred(row)) {
        deferred++;
      } else {
        active++;
        readyIndex.add(i, row);
      }
      enter(chunk, row);
    }
  }

  /** Removes a message, and its lock if it has one. */
  public void remove(long place) {
    Chunk chunk = chunk(place);
    int row = Place.row(place);
    leave(place);
    if (chunk.isDeferred(row)) {
      deferred--;
    } else {
      active--;
    }
    bytes -= chunk.size(row);
    chunk.setLockSlot(row, 0);
    if (sessions != null) {
      sessions.left(chunk.sessionSlot(row));
    }
    chunk.remove(row);
    space.tidy(Place.chunk(place));
  }

  /** Removes the first chunk, whose messages are neither locked nor in a session. */
  public void dropFirstChunk(long deferredRows) {
    active -= chunks.chunk(0).live() - deferredRows;
    deferred -= deferredRows;
    readyIndex.dropChunk(0);
    chunks.remove(0);
  }

  /** Defers a message, and takes its lock off. */
  public void defer(long place) {
    Chunk chunk = chunk(place);
    int row = Place.row(place);
    leave(place);
    if (!chunk.isDeferred(row)) {
      active--;
      deferred++;
      chunk.defer(row);
    }
    chunk.setLockSlot(row, 0);
    enter(chunk, row);
  }

  /** Marks a message as locked by the lock in this slot. */
  public void lock(long place, int slot) {
    Chunk chunk = chunk(place);
    int row = Place.row(place);
    leave(place);
    chunk.setLockSlot(row, slot + 1);
    enter(chunk, row);
  }

  /** Takes the lock off a message. */
  public void unlock(long place) {
    Chunk chunk = chunk(place);
    int row = Place.row(place);
    leave(place);
    chunk.setLockSlot(row, 0);
    if (chunk.isAvailable(row)) {
      readyIndex.add(Place.chunk(place), row);
    }
    enter(chunk, row);
  }

  /** A message is about to go, or to be in another state. */
  private void leave(long place) {
    Chunk chunk = chunk(place);
    int row = Place.row(place);
    if (chunk.isAvailable(row)) {
      readyIndex.remove(Place.chunk(place));
    }
    if (sessions != null) {
      sessions.leaves(chunk, row);
    }
  }

  /** A message came, or is in another state. */
  private void enter(Chunk chunk, int row) {
    if (sessions != null) {
      sessions.enters(chunk, row);
    }
  }

  private void join(Chunk chunk, int row, String @Nullable [] sessionIds, int k) {
    if (sessions != null && sessionIds != null) {
      chunk.setSessionSlot(row, sessions.arrived(sessionIds[k]));
    }
  }

  /** The index of available messages. */
  public ReadyIndex readyIndex() {
    return readyIndex;
  }

  /** Gives a message a new enqueued time and expiry. */
  public void renewTimes(long place, long enqueuedAtMillis, long expiresAtMillis) {
    chunk(place).fillTimes(Place.row(place), enqueuedAtMillis, expiresAtMillis);
    readyIndex.expires(Place.chunk(place), expiresAtMillis);
  }

  /** The chunks, for walks over all messages. */
  public ChunkDirectory chunks() {
    return chunks;
  }
}
