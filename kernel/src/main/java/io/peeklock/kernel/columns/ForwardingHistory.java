package io.peeklock.kernel.columns;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How often a message was forwarded, and where it was a dead letter before, as one number for its
 * row. The names are few: those of entities that forward their dead letters.
 */
public final class ForwardingHistory {

  /** The most hops of a message (S-292, R-09). */
  public static final int MOST_HOPS = 4;

  private static final int HOP_BITS = 3;
  private static final int HOPS = (1 << HOP_BITS) - 1;

  private final List<String> names = new ArrayList<>();
  private final Map<String, Integer> places = new LinkedHashMap<>();

  /** How often the message was forwarded. */
  public static int hops(int forwardings) {
    return forwardings & HOPS;
  }

  /** The path of the entity in which it was a dead letter (S-197); null when it was none. */
  public @Nullable String deadLetterSource(int forwardings) {
    int place = forwardings >>> HOP_BITS;
    return place == 0 ? null : names.get(place - 1);
  }

  /** Adds a hop; the source of a dead letter is the latest one (S-198). */
  public int onward(int forwardings, @Nullable String deadLetterSource) {
    int hops = hops(forwardings) + 1;
    return deadLetterSource == null ? (forwardings & ~HOPS) | hops : of(hops, deadLetterSource);
  }

  /** The number for these hops and this source, empty for none. */
  public int of(int hops, String deadLetterSource) {
    return (deadLetterSource.isEmpty() ? 0 : place(deadLetterSource) << HOP_BITS) | hops;
  }

  private int place(String name) {
    Integer known = places.get(name);
    if (known != null) {
      return known;
    }
    names.add(name);
    places.put(name, names.size());
    return names.size();
  }
}
