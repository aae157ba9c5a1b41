package io.peeklock.kernel.columns;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One part of a {@link PartedMap}: a table in which an entry is at the place that its hash gives,
 * or a few places behind. The hashes are beside the entries, so that a search mostly, and growth
 * always, reads no key: each key would be a wait for memory. An entry that finds no place near its
 * own goes into a map of its own kind, so that keys with equal hashes cost no more than in that.
 */
final class MapPart<K, V> {

  private static final int LEAST = 8;

  /** How many places, from its own on, may have an entry. */
  private static final int NEAR = 32;

  private final float load;
  private int[] hashes = new int[LEAST]; // 0 for a free place
  private @Nullable Object[] entries = new Object[2 * LEAST]; // key and value in turn
  private int inTable;
  private @Nullable Map<K, V> others;

  /** An empty part that grows when more than this part of its places are taken. */
  MapPart(float load) {
    this.load = load;
  }

  int size() {
    return inTable + (others == null ? 0 : others.size());
  }

  /** The entries that have no place near that of their hash. */
  int others() {
    return others == null ? 0 : others.size();
  }

  /** How many entries fit into the table without regard to their number. */
  int places() {
    return hashes.length;
  }

  /** The value of a key, null when there is none; {@code hash} is not 0. */
  @Nullable V get(K key, int hash) {
    int at = find(key, hash);
    return at >= 0 ? value(at) : others == null ? null : others.get(key);
  }

  /** Sets the value of a key. */
  void put(K key, int hash, V value) {
    int at = find(key, hash);
    if (at >= 0) {
      entries[2 * at + 1] = value;
    } else if (others != null && others.containsKey(key)) {
      others.put(key, value);
    } else {
      if (inTable + 1 > hashes.length * load) {
        resize(hashes.length * 2);
      }
      add(key, hash, value);
    }
  }

  /** Removes a key, and returns its value or null. */
  @Nullable V remove(K key, int hash) {
    int at = find(key, hash);
    if (at < 0) {
      return others == null ? null : others.remove(key);
    }
    V value = value(at);
    close(at);
    inTable--;
    if (hashes.length > 2 * LEAST && inTable < hashes.length / 8) {
      resize(hashes.length / 4);
    }
    return value;
  }

  /** The values, in an order given by the keys and what was done with them. */
  Stream<V> values() {
    Stream<V> some =
        IntStream.range(0, hashes.length).filter(i -> hashes[i] != 0).mapToObj(this::value);
    return others == null ? some : Stream.concat(some, others.values().stream());
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // a place that is taken has a value
  private V value(int at) {
    return (V) entries[2 * at + 1];
  }

  private int home(int hash) {
    return (hash << PartedMap.BITS) >>> Integer.numberOfLeadingZeros(hashes.length - 1);
  }

  /** The place of a key; -1 when it has none in the table. */
  private int find(Object key, int hash) {
    int last = hashes.length - 1;
    int at = home(hash);
    for (int looks = Math.min(NEAR, hashes.length); looks > 0; looks--) {
      int here = hashes[at];
      if (here == hash && key.equals(entries[2 * at])) {
        return at;
      }
      if (here == 0) {
        return -1;
      }
      at = (at + 1) & last;
    }
    return -1;
  }

  /** Adds a key that is not there. */
  @SuppressWarnings("unchecked")
  private void add(Object key, int hash, @Nullable Object value) {
    int last = hashes.length - 1;
    int at = home(hash);
    for (int looks = Math.min(NEAR, hashes.length); looks > 0; looks--) {
      if (hashes[at] == 0) {
        set(at, hash, key, value);
        inTable++;
        return;
      }
      at = (at + 1) & last;
    }
    Map<K, V> map = others == null ? new LinkedHashMap<>() : others;
    map.put((K) key, (V) value);
    others = map;
  }

  private void set(int at, int hash, @Nullable Object key, @Nullable Object value) {
    hashes[at] = hash;
    entries[2 * at] = key;
    entries[2 * at + 1] = value;
  }

  /** Frees a place, and moves those behind it that may be nearer to their own. */
  private void close(int freed) {
    int last = hashes.length - 1;
    int hole = freed;
    int at = (hole + 1) & last;
    while (hashes[at] != 0 && ((at - hole) & last) < NEAR && at != freed) {
      if (((at - home(hashes[at])) & last) >= ((at - hole) & last)) {
        set(hole, hashes[at], entries[2 * at], entries[2 * at + 1]);
        hole = at;
      }
      at = (at + 1) & last;
    }
    set(hole, 0, null, null);
  }

  private void resize(int places) {
    int[] hashesBefore = hashes;
    @Nullable Object[] entriesBefore = entries;
    hashes = new int[places];
    entries = new Object[2 * places];
    inTable = 0;
    for (int i = 0; i < hashesBefore.length; i++) {
      Object key = entriesBefore[2 * i];
      if (key != null) {
        add(key, hashesBefore[i], entriesBefore[2 * i + 1]);
      }
    }
  }
}
