package io.peeklock.store;

import io.peeklock.journal.checkpoint.CheckpointReader;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The place of each body in any file: 12 bytes for each, in chunks that are freed when all their
 * bodies are gone.
 */
final class PlaceIndex {
  private static final int CHUNK = 4096;
  private static final int LENGTH_BITS = 24;
  private static final int LARGE_FILE = -1;

  private final Map<Long, Chunk> chunks = new HashMap<>();
  private final Map<Long, CheckpointReader.Large> larges = new HashMap<>();

  private static final class Chunk {
    final long[] places = new long[CHUNK];
    final int[] files = new int[CHUNK]; // the file's number plus one; 0 for none
    int count;
  }

  /**
   * Where one body lies.
   *
   * @param file the number of the file
   * @param large set when the body has its own file
   */
  record Place(int file, long offset, int length, CheckpointReader.@Nullable Large large) {}

  void put(long bodyId, int file, long offset, int length) {
    set(bodyId, file + 1, offset << LENGTH_BITS | length);
  }

  void put(long bodyId, CheckpointReader.Large large) {
    larges.put(bodyId, large);
    set(bodyId, LARGE_FILE, 0);
  }

  private void set(long bodyId, int file, long place) {
    var chunk = chunks.computeIfAbsent(bodyId / CHUNK, number -> new Chunk());
    var at = (int) (bodyId % CHUNK);
    chunk.count += chunk.files[at] == 0 ? 1 : 0;
    chunk.files[at] = file;
    chunk.places[at] = place;
  }

  @Nullable Place get(long bodyId) {
    var chunk = chunks.get(bodyId / CHUNK);
    var at = (int) (bodyId % CHUNK);
    if (chunk == null || chunk.files[at] == 0) {
      return null;
    }
    var place = chunk.places[at];
    return new Place(
        chunk.files[at] - 1,
        place >>> LENGTH_BITS,
        (int) (place & ((1 << LENGTH_BITS) - 1)),
        larges.get(bodyId));
  }

  void remove(long bodyId) {
    var chunk = chunks.get(bodyId / CHUNK);
    var at = (int) (bodyId % CHUNK);
    if (chunk != null && chunk.files[at] != 0) {
      chunk.files[at] = 0;
      larges.remove(bodyId);
      if (--chunk.count == 0) {
        chunks.remove(bodyId / CHUNK);
      }
    }
  }
}
