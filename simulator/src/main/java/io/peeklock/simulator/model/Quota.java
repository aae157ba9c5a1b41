package io.peeklock.simulator.model;

import java.util.HashMap;
import java.util.Map;

/** How full an entity is, as far as can be known (S-435). */
final class Quota {
  /** What a message may take besides its own bytes. */
  private static final long OVERHEAD = 300;

  private final World world;

  Quota(World world) {
    this.world = world;
  }

  /** So many bytes more may be too many. */
  boolean mayBeFull(Place place, long more) {
    long size = more + OVERHEAD;
    for (Place each : world.places.values()) {
      if (shares(place, each)) {
        size += each.copies.stream().mapToLong(copy -> copy.sent.bytes() + OVERHEAD).sum();
        size += each.states.size() * OVERHEAD;
        size += stateBytes(each);
      }
    }
    return limit(place) <= size;
  }

  /** It is full for certain; a topic may keep one body for all copies (S-056). */
  boolean isFull(Place place) {
    Map<String, Integer> sure = new HashMap<>();
    for (Place each : world.places.values()) {
      if (shares(place, each)) {
        each.copies.stream()
            .filter(copy -> copy.must(s -> s.kind() != Situation.Kind.AWAY))
            .forEach(copy -> sure.put(copy.sent.tag(), copy.sent.bytes()));
      }
    }
    long size = sure.values().stream().mapToLong(Integer::longValue).sum();
    return limit(place) <= size;
  }

  private static long stateBytes(Place place) {
    return place.states.values().stream()
        .flatMap(state -> state.possible().stream())
        .mapToLong(each -> each.value().map(String::length).orElse(0))
        .sum();
  }

  private static boolean shares(Place one, Place other) {
    return Place.root(one.path).equals(Place.root(other.path));
  }

  private static long limit(Place place) {
    long most = place.properties().maxBytes();
    return most <= 0 ? Long.MAX_VALUE : most;
  }
}
