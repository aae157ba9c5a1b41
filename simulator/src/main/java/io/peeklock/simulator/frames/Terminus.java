package io.peeklock.simulator.frames;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The ends of links: sources, targets, and the coordinator of transactions. */
final class Terminus {
  private static final int SOURCE = 0x28;
  private static final int TARGET = 0x29;
  private static final String SESSION = "com.microsoft:session-filter";

  private Terminus() {}

  static Wire.Described source(String address) {
    return Wire.composite(SOURCE, address);
  }

  static Wire.Described target(String address) {
    return Wire.composite(TARGET, address);
  }

  /** A source that asks for a session; null for the next one. */
  static Wire.Described sessionOf(String address, @Nullable String sessionId) {
    var filter = new LinkedHashMap<Object, @Nullable Object>();
    filter.put(new Wire.Symbol(SESSION), sessionId);
    return Wire.composite(SOURCE, address, null, null, null, null, null, null, filter);
  }

  /** The session that the broker's source names. */
  static @Nullable String session(Wire.Described source) {
    return source.field(7) instanceof Map<?, ?> filter
        ? (String) Wire.entry(filter, SESSION)
        : null;
  }
}
