package io.peeklock.journal;

import io.peeklock.kernel.Invariant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where each live body lies: eight bytes for each, in chunks that go when all their bodies are
 * dead. Ids are dense, so there is nothing to search; of a chunk of which few bodies are left only
 * those are kept, so that one message in thousands that nobody takes does not keep room for all.
 * The home's.
 *
 * <p>A body is in the segment that its id belongs to: then these are 39 bits of offset and 24 of
 * length. Or it was moved: then the sign bit, 15 bits for the slot of its cold segment, 27 of
 * offset, 21 of length. Checkpoints hold the same numbers.
 */
final class BodyLocations {
  /** No such body, or no longer. */
  static final long NONE = 0;

  /** The body has a file of its own. */
  static final long LARGE = -1;

  /** Ids that share a chunk. */
  static final int CHUNK_BODIES = 4096;

  /** How many cold segments there can be. */
  static final int SLOTS = 1 << 15;

  /** Where in a cold segment a body must begin. */
  static final long MOST_COLD_BYTES = 1 << 27;

  private static final int LENGTH_BITS = 24;
  private static final int LENGTH_MASK = (1 << LENGTH_BITS) - 1;
  private static final int COLD_LENGTH_BITS = 21;
  private static final int COLD_LENGTH_MASK = (1 << COLD_LENGTH_BITS) - 1;
  private static final int SLOT_SHIFT = 48;

  private final Map<Long, Chunk> chunks = new HashMap<>();
  private @Nullable Chunk last;
  private long newest;

  private static final class Chunk {
    /** With so few left a chunk is kept in short. */
    private static final int FEW = CHUNK_BODIES / 16;

    final long number;
    private long[] locations = new long[CHUNK_BODIES];
    private char @Nullable [] places; // of what is left, in order, in a chunk that is in short
    private int live;

    Chunk(long number) {
      this.number = number;
    }

    /** Where a place is among the locations; below 0 when a chunk in short has it no more. */
    private int at(int place) {
      return places == null ? place : Arrays.binarySearch(places, (char) place);
    }

    long get(int place) {
      var at = at(place);
      return at < 0 ? NONE : locations[at];
    }

    void put(int place, long location) {
      if (at(place) < 0) {
        locations = all();
        places = null;
      }
      locations[at(place)] = location;
      live++;
    }

    /** Takes a body out that is in it. */
    void remove(int place, boolean isComplete) {
      locations[at(place)] = NONE;
      live--;
      if (isComplete && live <= FEW && live * 4 < locations.length) {
        shorten();
      }
    }

    void move(int place, long to) {
      locations[at(place)] = to;
    }

    /** The locations by place. */
    long[] all() {
      if (places == null) {
        return locations;
      }
      var all = new long[CHUNK_BODIES];
      for (var i = 0; i < places.length; i++) {
        all[places[i]] = locations[i];
      }
      return all;
    }

    private void shorten() {
      var keptPlaces = new char[live];
      var kept = new long[live];
      var count = 0;
      for (var i = 0; i < locations.length; i++) {
        if (locations[i] != NONE) {
          keptPlaces[count] = places == null ? (char) i : places[i];
          kept[count++] = locations[i];
        }
      }
      places = keptPlaces;
      locations = kept;
    }
  }

  /** A location in a segment. */
  static long at(long offset, int length) {
    return offset << LENGTH_BITS | length;
  }

  /** A location in a cold segment. */
  static long cold(int slot, long offset, int length) {
    Invariant.check(
        slot >= 0 && slot < SLOTS && offset < MOST_COLD_BYTES && length < COLD_LENGTH_MASK,
        "a place in a cold segment fits its bits");
    return Long.MIN_VALUE | (long) slot << SLOT_SHIFT | offset << COLD_LENGTH_BITS | length;
  }

  /** Whether it is in a cold segment. */
  static boolean isCold(long location) {
    return location < LARGE;
  }

  /** Which cold segment. */
  static int slot(long location) {
    return (int) (location >>> SLOT_SHIFT) & (SLOTS - 1);
  }

  static long offset(long location) {
    return location < 0
        ? location >>> COLD_LENGTH_BITS & (MOST_COLD_BYTES - 1)
        : location >>> LENGTH_BITS;
  }

  static int length(long location) {
    return (int) location & (location < 0 ? COLD_LENGTH_MASK : LENGTH_MASK);
  }

  /** What a body takes in its file. */
  static int bytes(long location) {
    return BodyRun.CHECK_BYTES + length(location);
  }

  /** Where in its file a body ends. */
  static long end(long location) {
    return offset(location) + bytes(location);
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
    chunk.put((int) (bodyId % CHUNK_BODIES), location);
    newest = Math.max(newest, chunk.number);
  }

  long get(long bodyId) {
    var chunk = chunk(bodyId);
    return chunk == null ? NONE : chunk.get((int) (bodyId % CHUNK_BODIES));
  }

  /** Forgets a body; tells where it was. */
  long remove(long bodyId) {
    var chunk = chunk(bodyId);
    if (chunk == null) {
      return NONE;
    }
    var place = (int) (bodyId % CHUNK_BODIES);
    var location = chunk.get(place);
    if (location != NONE) {
      chunk.remove(place, chunk.number < newest);
      if (chunk.live == 0) {
        chunks.remove(chunk.number);
        last = null;
      }
    }
    return location;
  }

  /** Changes the place of a body that is still where it was said to be; false when it is not. */
  boolean move(long bodyId, long from, long to) {
    var chunk = chunk(bodyId);
    var place = (int) (bodyId % CHUNK_BODIES);
    if (chunk == null || chunk.get(place) != from) {
      return false;
    }
    chunk.move(place, to);
    return true;
  }

  /** The numbers of the chunks that there are, in order. */
  long[] chunkNumbers() {
    return chunks.keySet().stream().mapToLong(number -> number).sorted().toArray();
  }

  /** The places of a chunk, to be looked at at once; null when all its bodies are dead. */
  long @Nullable [] chunkNumbered(long number) {
    var chunk = chunks.get(number);
    return chunk == null ? null : chunk.all();
  }

  /** How many locations there is room for. */
  long room() {
    return chunks.values().stream().mapToLong(chunk -> chunk.locations.length).sum();
  }

  /** How many chunks there are. */
  int chunks() {
    return chunks.size();
  }
}
