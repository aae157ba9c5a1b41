package io.peeklock.kernel.columns;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How often a message was forwarded, and where it was a dead letter before that, as one number for
 * its row. The names are few: those of entities that forward their dead letters.
 */
public final class ForwardingHistory {

  /** A message that was forwarded so often is not forwarded again (S-292, R-09). */
  public static final int MOST_HOPS = 4;

  private static final int HOP_BITS = 3;
  private static final int HOPS = (1 << HOP_BITS) - 1;

  private final List<String> names = new ArrayList<>();
  private final Map<String, Integer> places = new LinkedHashMap<>();

  public static int hops(int forwardings) {
    return forwardings & HOPS;
  }

  /** The path of the entity that it was a dead letter of (S-197); null when it was none. */
  public @Nullable String deadLetterSource(int forwardings) {
    int place = forwardings >>> HOP_BITS;
    return place == 0 ? null : names.get(place - 1);
  }

  /** One hop more; a dead letter's source is that of the newest time (S-198). */
  public int onward(int forwardings, @Nullable String deadLetterSource) {
    int hops = hops(forwardings) + 1;
    return deadLetterSource == null ? (forwardings & ~HOPS) | hops : of(hops, deadLetterSource);
  }

  /** Both; the source empty for none. */
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
