package io.peeklock.kernel.columns;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A map that grows in small parts: a map of a hundred thousand entries that grows as a whole would
 * hold the shard for eight milliseconds.
 */
public final class PartedMap<K, V> {

  static final int PARTS = 64; // a power of two

  private static final int MIN_ROOM = 4;
  private static final float LEAST_LOAD = 0.6f; // of a part; up to twice that, so that parts with
  // as many entries do not grow all at once

  private final List<@Nullable Map<K, V>> parts = new ArrayList<>();

  public PartedMap() {
    for (int i = 0; i < PARTS; i++) {
      parts.add(null);
    }
  }

  private static int partOf(Object key) {
    return (key.hashCode() * 0x9E3779B9) >>> (Integer.SIZE - 6); // a part looks at other bits
  }

  /** The value of a key; null when there is none. */
  public @Nullable V get(K key) {
    Map<K, V> part = parts.get(partOf(key));
    return part == null ? null : part.get(key);
  }

  /** Sets the value of a key. */
  public void put(K key, V value) {
    int at = partOf(key);
    Map<K, V> part = parts.get(at);
    if (part == null) {
      part = new LinkedHashMap<>(MIN_ROOM, LEAST_LOAD * (1 + at / (float) PARTS));
      parts.set(at, part);
    }
    part.put(key, value);
  }

  /** Removes a key, and returns its value or null. */
  public @Nullable V remove(K key) {
    Map<K, V> part = parts.get(partOf(key));
    return part == null ? null : part.remove(key);
  }

  /** The values, in an order given by the keys and their insertion. */
  public Iterable<V> values() {
    return () ->
        parts.stream().flatMap(p -> p == null ? Stream.<V>of() : p.values().stream()).iterator();
  }

  /** The entries of the largest part, the most that grow at once. */
  int largestPart() {
    int largest = 0;
    for (Map<K, V> part : parts) {
      largest = Math.max(largest, part == null ? 0 : part.size());
    }
    return largest;
  }
}
