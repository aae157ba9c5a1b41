package io.peeklock.store;

import io.peeklock.journal.checkpoint.CheckpointReader;
import io.peeklock.journal.inspection.StoreFolder;
import io.peeklock.journal.scan.ColdScan;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Checks bodies in cold segments at the places that checkpoints name, each once. */
final class ColdBodies implements Closeable {
  private final StoreFolder folder;
  private PlaceIndex seen = new PlaceIndex();
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Map<String, ColdScan> open = new HashMap<>();

  ColdBodies(StoreFolder folder) {
    this.folder = folder;
  }

  /** Whether this body at this place was checked before. */
  boolean isKnown(long bodyId, String file, long place) {
    var number = numbers.computeIfAbsent(file, fresh -> numbers.size());
    var offset = CheckpointReader.offset(place);
    var before = seen.get(bodyId);
    if (before != null && before.file() == number && before.offset() == offset) {
      return true;
    }
    seen.put(bodyId, number, offset, CheckpointReader.length(place));
    return false;
  }

  /** Whether it is intact; a missing file is not reported for each body. */
  boolean isIntact(long bodyId, String file, long place) throws IOException {
    if (!folder.has(file)) {
      return true;
    }
    var scan = open.get(file);
    if (scan == null) {
      scan = folder.cold(file);
      open.put(file, scan);
    }
    var offset = CheckpointReader.offset(place);
    return scan.body(bodyId, offset, CheckpointReader.length(place)) != null;
  }

  @Override
  public void close() throws IOException {
    for (var scan : open.values()) {
      scan.close();
    }
    open.clear();
    seen = new PlaceIndex();
  }
}
