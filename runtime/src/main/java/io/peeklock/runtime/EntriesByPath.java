package io.peeklock.runtime;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a {@link Catalogue} by path, immutable: a changed copy shares all but small parts
 * with the original, so that one more entity costs the same however many there are.
 */
final class EntriesByPath extends AbstractMap<String, Catalogue.Entry> {
  static final int PARTS = 256; // a power of two

  static final EntriesByPath EMPTY = new EntriesByPath(Collections.nCopies(PARTS, Map.of()), 0);

  private final List<Map<String, Catalogue.Entry>> parts; // immutable
  private final int size;

  private EntriesByPath(List<Map<String, Catalogue.Entry>> parts, int size) {
    this.parts = parts;
    this.size = size;
  }

  private static int partOf(Object path) {
    int hash = path.hashCode() * 0x9E3779B9; // similar paths differ in few bits
    return hash >>> 24;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public Catalogue.@Nullable Entry get(@Nullable Object path) {
    return path == null ? null : parts.get(partOf(path)).get(path);
  }

  @Override
  public boolean containsKey(@Nullable Object path) {
    return get(path) != null;
  }

  @Override
  public Set<Map.Entry<String, Catalogue.Entry>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public Iterator<Map.Entry<String, Catalogue.Entry>> iterator() {
        return parts.stream()
            .flatMap(part -> Collections.unmodifiableMap(part).entrySet().stream())
            .iterator();
      }

      @Override
      public int size() {
        return size;
      }
    };
  }

  /** How many entries are in parts that the other map does not share. */
  @SuppressWarnings("ReferenceEquality") // an equal copy is what is looked for
  int notSharedWith(EntriesByPath other) {
    var own = 0;
    for (var part = 0; part < PARTS; part++) {
      own += parts.get(part) == other.parts.get(part) ? 0 : parts.get(part).size();
    }
    return own;
  }

  /** Begins a changed copy. */
  Change change() {
    return new Change(parts, size);
  }

  /** A changed copy in progress; each part is copied at most once. */
  static final class Change {
    private final List<Map<String, Catalogue.Entry>> parts;
    private final boolean[] own = new boolean[PARTS];
    private int size;

    private Change(List<Map<String, Catalogue.Entry>> before, int size) {
      this.parts = new ArrayList<>(before);
      this.size = size;
    }

    /** Puts an entry, or with null removes one, and returns the earlier entry or null. */
    Catalogue.@Nullable Entry set(String path, Catalogue.@Nullable Entry entry) {
      var part = ownPart(partOf(path));
      var before = entry == null ? part.remove(path) : part.put(path, entry);
      size += (entry == null ? 0 : 1) - (before == null ? 0 : 1);
      return before;
    }

    private Map<String, Catalogue.Entry> ownPart(int which) {
      if (!own[which]) {
        own[which] = true;
        parts.set(which, new HashMap<>(parts.get(which)));
      }
      return parts.get(which);
    }

    /** The changed map; no change may follow. */
    EntriesByPath build() {
      return new EntriesByPath(parts, size);
    }
  }
}
