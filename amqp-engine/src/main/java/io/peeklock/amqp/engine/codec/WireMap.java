package io.peeklock.amqp.engine.codec;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A decoded map: entries in the order of the wire, found by an order of their keys. Not by hashes:
 * a client can choose keys with equal hashes, and a {@code HashMap} with keys of several types then
 * compares each new key with all others.
 *
 * <p>Keys are of the primitive types, two of them equal when type and value are. A key that comes
 * again replaces the value and keeps the place.
 */
final class WireMap extends AbstractMap<Object, @Nullable Object> {
  private static final Comparator<Object> BY_TYPE_AND_VALUE =
      (one, other) ->
          one.getClass() == other.getClass()
              ? byValue(one, other)
              : one.getClass().getName().compareTo(other.getClass().getName());

  private final List<Entry<Object, @Nullable Object>> entries;
  private final TreeMap<Object, Entry<Object, @Nullable Object>> byKey =
      new TreeMap<>(BY_TYPE_AND_VALUE);

  WireMap(int expected) {
    entries = new ArrayList<>(expected);
  }

  @SuppressWarnings("unchecked") // only called for two of one class that isKey() lets pass
  private static int byValue(Object one, Object other) {
    return switch (one) {
      case Unsigned number -> Long.compareUnsigned(number.value(), ((Unsigned) other).value());
      case Timestamp time -> Long.compare(time.epochMillis(), ((Timestamp) other).epochMillis());
      case AmqpChar letter -> Integer.compare(letter.codePoint(), ((AmqpChar) other).codePoint());
      case Decimal number -> byBits(number, (Decimal) other);
      case byte[] bytes -> Arrays.compareUnsigned(bytes, (byte[]) other);
      default -> ((Comparable<Object>) one).compareTo(other);
    };
  }

  private static int byBits(Decimal one, Decimal other) {
    int high = Long.compare(highBits(one), highBits(other));
    return high == 0 ? Long.compare(lowBits(one), lowBits(other)) : high;
  }

  private static long highBits(Decimal number) {
    return number instanceof Decimal.Decimal128 wide ? wide.highBits() : 0;
  }

  private static long lowBits(Decimal number) {
    return switch (number) {
      case Decimal.Decimal32 decimal -> decimal.bits();
      case Decimal.Decimal64 decimal -> decimal.bits();
      case Decimal.Decimal128 decimal -> decimal.lowBits();
    };
  }

  private static boolean isKey(@Nullable Object key) {
    return switch (key) {
      case null -> false;
      case Unsigned number -> true;
      case Timestamp time -> true;
      case AmqpChar letter -> true;
      case Decimal number -> true;
      case byte[] bytes -> true;
      default -> key instanceof Comparable;
    };
  }

  /**
   * Adds an entry.
   *
   * @throws AmqpDecodeException when the key is null, a list, a map, an array or described
   */
  @Override
  public @Nullable Object put(Object key, @Nullable Object value) {
    if (!isKey(key)) {
      throw new AmqpDecodeException("a map has a key that is of no primitive type");
    }
    Entry<Object, @Nullable Object> known = byKey.get(key);
    if (known != null) {
      return known.setValue(value);
    }
    Entry<Object, @Nullable Object> entry = new SimpleEntry<>(key, value);
    byKey.put(key, entry);
    entries.add(entry);
    return null;
  }

  @Override
  public @Nullable Object get(@Nullable Object key) {
    Entry<Object, @Nullable Object> entry = isKey(key) ? byKey.get(key) : null;
    return entry == null ? null : entry.getValue();
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return isKey(key) && byKey.containsKey(key);
  }

  @Override
  public Set<Map.Entry<Object, @Nullable Object>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public Iterator<Map.Entry<Object, @Nullable Object>> iterator() {
        return Collections.unmodifiableList(entries).iterator();
      }

      @Override
      public int size() {
        return entries.size();
      }
    };
  }
}
