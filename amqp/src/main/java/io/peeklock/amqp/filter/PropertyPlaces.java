package io.peeklock.amqp.filter;

import io.peeklock.amqp.engine.codec.AmqpReader;
import io.peeklock.amqp.engine.codec.FormatCode;
import io.peeklock.kernel.filter.PropertyChanges;
import io.peeklock.kernel.filter.PropertyName;
import java.util.Arrays;

/**
 * Where the application properties of one message lie, so that its copies need not be read through
 * one by one: a message with thousands of properties may have a copy for each of many rules. Keys
 * are found by their length first; few have that of a changed one.
 */
final class PropertyPlaces {
  private static final int FEW = 16;

  private int count;
  private int begin;
  private int end;
  private int[] keys = new int[FEW]; // where its bytes begin, without what says their length
  private int[] lengths = new int[FEW]; // in bytes; -1 for a key that is no text
  private int[] starts =
      new int[FEW + 1]; // of the entry; the one behind the last is where they end
  private int[] values = new int[FEW];

  /** Reads through a map of properties, on which the reader stands. */
  PropertyPlaces on(AmqpReader reader) {
    var elements = reader.enterMap();
    count = elements / 2;
    if (keys.length < count) {
      keys = new int[count];
      lengths = new int[count];
      starts = new int[count + 1];
      values = new int[count];
    }
    begin = reader.position();
    for (var i = 0; i < count; i++) {
      starts[i] = reader.position();
      lengths[i] = -1;
      if (FormatCode.isText(reader.peekCode())) {
        lengths[i] = reader.readContent();
        keys[i] = reader.contentOffset();
      } else {
        reader.skip();
      }
      values[i] = reader.position();
      reader.skip();
    }
    end = reader.position();
    starts[count] = end;
    return this;
  }

  /** How many properties there are. */
  int count() {
    return count;
  }

  /** Where the first begins. */
  int begin() {
    return begin;
  }

  /** Where the last ends. */
  int end() {
    return end;
  }

  /** Where a property begins, with its key. */
  int startOf(int property) {
    return starts[property];
  }

  /** Where its value begins. */
  int valueOf(int property) {
    return values[property];
  }

  /** Where it ends. */
  int endOf(int property) {
    return starts[property + 1];
  }

  /**
   * The next property with this name from one on; -1 for none. A message may have a name twice.
   *
   * @param bytes of the message, from their index 0
   */
  int find(PropertyName name, byte[] bytes, int from) {
    var wanted = name.keyLength();
    for (var i = from; i < count; i++) {
      var length = lengths[i];
      var fits = length >= 0 && (wanted < 0 || length == wanted);
      if (fits && name.matches(bytes, keys[i], length)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * The properties that are changed, in their order: each is a property, {@link #property}, and a
   * change of it, {@link #change}. A property that several changes are for is there for each, the
   * first change first.
   *
   * @param bytes of the message, from their index 0
   */
  long[] changed(PropertyChanges changes, byte[] bytes) {
    var found = new long[FEW];
    var size = 0;
    for (var change = 0; change < changes.count(); change++) {
      for (var at = find(changes.name(change), bytes, 0);
          at >= 0;
          at = find(changes.name(change), bytes, at + 1)) {
        if (size == found.length) {
          found = Arrays.copyOf(found, 2 * size);
        }
        found[size++] = (long) at << Integer.SIZE | change;
      }
    }
    var pairs = Arrays.copyOf(found, size);
    Arrays.sort(pairs);
    return pairs;
  }

  static int property(long pair) {
    return (int) (pair >>> Integer.SIZE);
  }

  static int change(long pair) {
    return (int) pair;
  }
}
