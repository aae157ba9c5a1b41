package io.peeklock.kernel.columns;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A map that grows in small parts: a map of a hundred thousand entries that grows as a whole would
 * hold the shard for eight milliseconds.
 */
public final class PartedMap<K, V> {

  static final int BITS = 6;
  static final int PARTS = 1 << BITS;

  private static final float LEAST_LOAD = 0.3f; // of a part; up to twice that, so that parts with
  // as many entries do not grow all at once

  private final List<@Nullable MapPart<K, V>> parts = new ArrayList<>();

  public PartedMap() {
    for (int i = 0; i < PARTS; i++) {
      parts.add(null);
    }
  }

  /** A hash whose upper bits say which part, those below them where in the part; never 0. */
  private static int hash(Object key) {
    int own = key.hashCode();
    return (own ^ own >>> 16) * 0x9E3779B9 | 1;
  }

  private static int partOf(int hash) {
    return hash >>> (Integer.SIZE - BITS);
  }

  /** The value of a key; null when there is none. */
  public @Nullable V get(K key) {
    int hash = hash(key);
    MapPart<K, V> part = parts.get(partOf(hash));
    return part == null ? null : part.get(key, hash);
  }

  /** Sets the value of a key. */
  public void put(K key, V value) {
    int hash = hash(key);
    int at = partOf(hash);
    MapPart<K, V> part = parts.get(at);
    if (part == null) {
      part = new MapPart<>(LEAST_LOAD * (1 + at / (float) PARTS));
      parts.set(at, part);
    }
    part.put(key, hash, value);
  }

  /** Removes a key, and returns its value or null. */
  public @Nullable V remove(K key) {
    int hash = hash(key);
    MapPart<K, V> part = parts.get(partOf(hash));
    return part == null ? null : part.remove(key, hash);
  }

  /** The values, in an order given by the keys and what was done with them. */
  public Iterable<V> values() {
    return () ->
        parts.stream().flatMap(part -> part == null ? Stream.<V>of() : part.values()).iterator();
  }

  /** The entries of the largest part, the most that grow at once. */
  int largestPart() {
    return parts.stream().mapToInt(part -> part == null ? 0 : part.size()).max().orElse(0);
  }

  /** The places of all tables. */
  int places() {
    return parts.stream().mapToInt(part -> part == null ? 0 : part.places()).sum();
  }

  /** The entries that are in no table. */
  int others() {
    return parts.stream().mapToInt(part -> part == null ? 0 : part.others()).sum();
  }
}
