package io.peeklock.store;

import io.peeklock.journal.inspection.StoreFolder;
import io.peeklock.journal.scan.BodyScan;
import io.peeklock.journal.scan.LargeScan;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads bodies at the places that a salvage found, and verifies each. */
final class BodySource implements Closeable {
  private static final int OPEN_FILES = 16;

  private final StoreFolder folder;
  private final Salvage salvage;
  private final Map<Integer, BodyScan> open = new LinkedHashMap<>(32, 0.75f, true);

  BodySource(StoreFolder folder, Salvage salvage) {
    this.folder = folder;
    this.salvage = salvage;
  }

  /** The condition of a body. */
  enum Condition {
    /** It is as it was written. */
    INTACT,
    /** Its place has other bytes. */
    DAMAGED,
    /** Its file is missing, or its place is unknown. */
    GONE
  }

  /** Whether a body has a file of its own. */
  boolean isLarge(long bodyId) {
    var place = salvage.places().get(bodyId);
    return place != null && place.large() != null;
  }

  /** Whether a body is complete and intact. */
  Condition look(long bodyId) throws IOException {
    var place = salvage.places().get(bodyId);
    if (place == null || !folder.has(nameOf(place))) {
      return Condition.GONE;
    }
    return isIntact(bodyId, place) ? Condition.INTACT : Condition.DAMAGED;
  }

  private String nameOf(PlaceIndex.Place place) {
    var large = place.large();
    return large == null ? salvage.file(place.file()) : StoreFolder.largeBodyName(large.fileId());
  }

  private boolean isIntact(long bodyId, PlaceIndex.Place place) throws IOException {
    if (place.large() == null) {
      return small(bodyId) != null;
    }
    try (var scan = large(bodyId)) {
      return scan.damage(place.large(), bytes -> {}) == null;
    }
  }

  /** A body that is not large; null when it is damaged or gone. Valid until the next call. */
  @Nullable ByteBuffer small(long bodyId) throws IOException {
    var place = salvage.places().get(bodyId);
    if (place == null) {
      return null;
    }
    try {
      return scan(place.file()).body(bodyId, place.offset(), place.length());
    } catch (NoSuchFileException gone) {
      return null;
    }
  }

  /** A large body. */
  LargeScan large(long bodyId) throws IOException {
    var place = salvage.places().get(bodyId);
    var large = place == null ? null : place.large();
    if (large == null) {
      throw new IllegalArgumentException("body " + bodyId + " has no file of its own");
    }
    return folder.largeBody(StoreFolder.largeBodyName(large.fileId()));
  }

  private BodyScan scan(int file) throws IOException {
    var known = open.get(file);
    if (known == null) {
      known = folder.bodies(salvage.file(file));
      open.put(file, known);
      if (open.size() > OPEN_FILES) {
        var eldest = open.entrySet().iterator().next();
        open.remove(eldest.getKey());
        eldest.getValue().close();
      }
    }
    return known;
  }

  @Override
  public void close() throws IOException {
    for (var scan : open.values()) {
      scan.close();
    }
  }
}
