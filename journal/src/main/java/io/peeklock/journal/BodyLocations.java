package io.peeklock.journal;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where each live body lies in its segment: eight bytes for each, in chunks that go when all their
 * bodies are dead. Ids are dense, so there is nothing to search. The home's.
 */
final class BodyLocations {
  /** No such body, or no longer. */
  static final long NONE = 0;

  /** The body has a file of its own. */
  static final long LARGE = -1;

  private static final int CHUNK_BODIES = 4096;
  private static final int LENGTH_BITS = 24;
  private static final int LENGTH_MASK = (1 << LENGTH_BITS) - 1;

  private final Map<Long, Chunk> chunks = new HashMap<>();
  private @Nullable Chunk last;

  private static final class Chunk {
    final long number;
    final long[] locations = new long[CHUNK_BODIES];
    int live;

    Chunk(long number) {
      this.number = number;
    }
  }

  /** A location in a segment. */
  static long at(long offset, int length) {
    return offset << LENGTH_BITS | length;
  }

  static long offset(long location) {
    return location >>> LENGTH_BITS;
  }

  static int length(long location) {
    return (int) location & LENGTH_MASK;
  }

  private @Nullable Chunk chunk(long bodyId) {
    var number = bodyId / CHUNK_BODIES;
    var known = last;
    if (known == null || known.number != number) {
      known = chunks.get(number);
      last = known;
    }
    return known;
  }

  void put(long bodyId, long location) {
    var chunk = chunk(bodyId);
    if (chunk == null) {
      chunk = new Chunk(bodyId / CHUNK_BODIES);
      chunks.put(chunk.number, chunk);
      last = chunk;
    }
    chunk.locations[(int) (bodyId % CHUNK_BODIES)] = location;
    chunk.live++;
  }

  long get(long bodyId) {
    var chunk = chunk(bodyId);
    return chunk == null ? NONE : chunk.locations[(int) (bodyId % CHUNK_BODIES)];
  }

  /** Forgets a body; tells where it was. */
  long remove(long bodyId) {
    var chunk = chunk(bodyId);
    if (chunk == null) {
      return NONE;
    }
    var place = (int) (bodyId % CHUNK_BODIES);
    var location = chunk.locations[place];
    if (location != NONE) {
      chunk.locations[place] = NONE;
      if (--chunk.live == 0) {
        chunks.remove(chunk.number);
        last = null;
      }
    }
    return location;
  }

  /** How many chunks there are. */
  int chunks() {
    return chunks.size();
  }
}
