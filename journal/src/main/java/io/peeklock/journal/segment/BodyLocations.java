package io.peeklock.journal.segment;

import io.peeklock.journal.blocks.BodyRun;
import io.peeklock.kernel.Invariant;
import io.peeklock.runtime.thread.ShardThread;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The location of each living body: eight bytes for each, in chunks that are freed when all their
 * bodies are dead. Ids are dense, so no search is needed. A chunk with few living bodies keeps only
 * those, so that one old message among thousands does not keep the room of all.
 *
 * <p>The location of a body in the segment of its id has 39 bits of offset and 24 of length. That
 * of a moved body has the sign bit, 15 bits for the slot of its cold segment, 27 of offset and 21
 * of length. Checkpoints have the same numbers.
 */
@ShardThread
public final class BodyLocations {
  /** The location of an unknown or dead body. */
  public static final long NONE = 0;

  /** The location of a body with its own file. */
  public static final long LARGE = -1;

  /** Ids that share a chunk. */
  public static final int CHUNK_BODIES = 4096;

  /** The heap of a chunk without its locations: 140 bytes measured. */
  private static final long HEAP_BYTES = 160;

  /** How many cold segments there can be. */
  static final int SLOTS = 1 << 15;

  /** A body in a cold segment must begin below this offset. */
  public static final long MOST_COLD_BYTES = 1 << 27;

  private static final int LENGTH_BITS = 24;
  private static final int LENGTH_MASK = (1 << LENGTH_BITS) - 1;
  private static final int COLD_LENGTH_BITS = 21;
  private static final int COLD_LENGTH_MASK = (1 << COLD_LENGTH_BITS) - 1;
  private static final int SLOT_SHIFT = 48;

  private final Map<Long, BodyChunk> chunks = new HashMap<>();
  private @Nullable BodyChunk last;
  private long chunkBytes;
  private long live;

  /** A location in a segment. */
  public static long at(long offset, int length) {
    return offset << LENGTH_BITS | length;
  }

  /** A location in a cold segment. */
  public static long cold(int slot, long offset, int length) {
    Invariant.check(
        slot >= 0 && slot < SLOTS && offset < MOST_COLD_BYTES && length < COLD_LENGTH_MASK,
        "a place in a cold segment fits its bits");
    return Long.MIN_VALUE | (long) slot << SLOT_SHIFT | offset << COLD_LENGTH_BITS | length;
  }

  /** Whether it is in a cold segment. */
  public static boolean isCold(long location) {
    return location < LARGE;
  }

  /** The slot of the cold segment. */
  public static int slot(long location) {
    return (int) (location >>> SLOT_SHIFT) & (SLOTS - 1);
  }

  /** The offset of a body in its file, where its checksum begins. */
  public static long offset(long location) {
    return location < 0
        ? location >>> COLD_LENGTH_BITS & (MOST_COLD_BYTES - 1)
        : location >>> LENGTH_BITS;
  }

  /** The bytes of a body, without its checksum. */
  public static int length(long location) {
    return (int) location & (location < 0 ? COLD_LENGTH_MASK : LENGTH_MASK);
  }

  /** The bytes of a body in its file, with its checksum. */
  public static int bytes(long location) {
    return BodyRun.CHECK_BYTES + length(location);
  }

  /** The offset of the end of a body in its file. */
  public static long end(long location) {
    return offset(location) + bytes(location);
  }

  private @Nullable BodyChunk chunk(long bodyId) {
    var number = bodyId / CHUNK_BODIES;
    var known = last;
    if (known == null || known.number != number) {
      known = chunks.get(number);
      last = known;
    }
    return known;
  }

  /** Sets the location of a new body. */
  public void put(long bodyId, long location) {
    var chunk = chunk(bodyId);
    if (chunk == null) {
      chunk = new BodyChunk(bodyId / CHUNK_BODIES);
      chunks.put(chunk.number, chunk);
      last = chunk;
      count(chunk, 1);
    }
    count(chunk, -1);
    chunk.put((int) (bodyId % CHUNK_BODIES), location);
    count(chunk, 1);
  }

  /** Adds the bytes of a chunk to the sums, or subtracts them. */
  private void count(BodyChunk chunk, long times) {
    chunkBytes += times * chunk.bytes();
    live += times * chunk.live();
  }

  /** The location of a body; {@link #NONE} or {@link #LARGE} too. */
  public long get(long bodyId) {
    var chunk = chunk(bodyId);
    return chunk == null ? NONE : chunk.get((int) (bodyId % CHUNK_BODIES));
  }

  /** Removes a body, and returns its location. */
  public long remove(long bodyId) {
    var chunk = chunk(bodyId);
    if (chunk == null) {
      return NONE;
    }
    count(chunk, -1);
    var location = chunk.remove((int) (bodyId % CHUNK_BODIES));
    if (chunk.live() > 0) {
      count(chunk, 1);
    } else {
      chunks.remove(chunk.number);
      last = null;
    }
    return location;
  }

  /** Changes the location of a body if it is still {@code from}; else returns false. */
  public boolean move(long bodyId, long from, long to) {
    var chunk = chunk(bodyId);
    return chunk != null && chunk.move((int) (bodyId % CHUNK_BODIES), from, to);
  }

  /** The numbers of all chunks, in order. */
  public long[] chunkNumbers() {
    return chunks.keySet().stream().mapToLong(number -> number).sorted().toArray();
  }

  /** The locations of a chunk, valid until the next change; null when all its bodies are dead. */
  public long @Nullable [] chunkNumbered(long number) {
    var chunk = chunks.get(number);
    return chunk == null ? null : chunk.all();
  }

  /** The bytes that chunks have for locations, of living bodies or not. */
  public long roomBytes() {
    return chunkBytes;
  }

  /** The heap of all chunks, without the eight bytes per body that are counted with its row. */
  public long heapBytes() {
    return HEAP_BYTES * chunks.size() + chunkBytes - Long.BYTES * live;
  }
}
