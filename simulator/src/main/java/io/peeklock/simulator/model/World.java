package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.Operation.Settle;
import io.peeklock.simulator.history.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All that the model knows. */
final class World {
  final Map<String, Place> places = new LinkedHashMap<>();
  final Map<String, Receiver> receivers = new LinkedHashMap<>();
  final Map<String, Transaction> transactions = new HashMap<>();
  final Map<Long, Copy> locks = new HashMap<>();

  /** Tags of all messages that were sent. */
  final Set<String> tags = new HashSet<>();

  /** Tags that are not audited any more. */
  final Set<String> untracked = new HashSet<>();

  final Set<Long> untrackedLocks = new HashSet<>();

  /** What was asked and is not answered. */
  final Map<Long, Asked> pending = new LinkedHashMap<>();

  /** Roots of entities that nobody knows, after a change to them came in doubt. */
  final Set<String> vague = new HashSet<>();

  private long tick;

  long nextTick() {
    return ++tick;
  }

  @Nullable Place find(@Nullable String path) {
    return path == null ? null : places.get(path.toLowerCase(Locale.ROOT));
  }

  void add(Place place) {
    places.put(place.path.toLowerCase(Locale.ROOT), place);
  }

  /** All copies that may be somewhere. */
  List<Copy> copies() {
    List<Copy> all = new ArrayList<>();
    places.values().forEach(place -> all.addAll(place.copies));
    return all;
  }

  List<Place> subscriptions(Place topic) {
    return places.values().stream()
        .filter(place -> place.kind == Place.Kind.SUBSCRIPTION && place.parent == topic)
        .toList();
  }

  /** Copies that are gone for certain need no more thought. */
  void prune() {
    for (Place place : places.values()) {
      place.copies.removeIf(copy -> !copy.mayBeHere());
    }
  }

  /** A receiver is there from now on; it may have asked for credit already. */
  void add(Receiver receiver) {
    receivers.put(receiver.name, receiver);
    for (Asked asked : pending.values()) {
      if (asked.operation() instanceof Operation.Credit credit
          && credit.receiver().equals(receiver.name)) {
        receiver.asks(credit.more());
      }
    }
  }

  /** Who holds a session; null for nobody. */
  @Nullable Receiver holder(Place place, String sessionId) {
    for (Receiver each : receivers.values()) {
      if (!each.ended && each.place == place && sessionId.equals(each.sessionId)) {
        return each;
      }
    }
    return null;
  }

  /** The receiver that holds this session, when it does; lapsed or not. */
  @Nullable Receiver holding(@Nullable String receiver, @Nullable Place place) {
    Receiver found = receiver == null ? null : receivers.get(receiver);
    return found == null || found.ended || found.sessionId == null || found.place != place
        ? null
        : found;
  }

  /** Whether none of these locks is one of a message that is not audited. */
  boolean audits(Settle settle) {
    return settle.lockIds().stream().noneMatch(untrackedLocks::contains);
  }

  /** A change to this entity was asked for and is not answered. */
  boolean isChanging(String path) {
    return pending.values().stream()
        .map(Asked::operation)
        .anyMatch(
            each ->
                (each instanceof Operation.Update || each instanceof Operation.Delete)
                    && Place.root(path).equals(Place.root(Paths.of(each, this))));
  }

  boolean isVague(@Nullable String path) {
    return path != null && vague.contains(Place.root(path));
  }

  /**
   * Nobody knows this entity any more, nor those that forward to it. Messages that may be there are
   * not audited from then on.
   */
  void giveUp(String path) {
    if (!vague.add(Place.root(path))) {
      return;
    }
    List<Place> lost = places.values().stream().filter(place -> isVague(place.path)).toList();
    for (Place place : lost) {
      place.copies.forEach(copy -> untracked.add(copy.sent.tag()));
    }
    for (Place place : places.values()) {
      place.copies.removeIf(copy -> untracked.contains(copy.sent.tag()));
    }
    for (Place place : List.copyOf(places.values())) {
      if (isVague(place.forwardsTo())) {
        giveUp(place.path);
      }
    }
  }

  Violation unknown(String tag) {
    return tags.contains(tag)
        ? new Violation("S-003", tag + " is not here: it was settled, or never came here")
        : new Violation("S-072", "nobody sent " + tag);
  }
}
