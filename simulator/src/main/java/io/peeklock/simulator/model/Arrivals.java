package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Operation.Rule;
import io.peeklock.simulator.history.Properties;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Messages come into an entity: the copies they make there. */
final class Arrivals {
  private static final String COLOR = "color";

  private final World world;

  Arrivals(World world) {
    this.world = world;
  }

  /** The copies that a message makes; none when it is a duplicate. */
  List<Copy> enter(Place place, Entry entry) {
    if (world.untracked.contains(entry.sent().tag())) {
      return List.of();
    }
    Ids.Verdict verdict = entry.checksIds() ? judge(place, entry) : Ids.Verdict.NEW;
    if (verdict == Ids.Verdict.DUPLICATE) {
      return List.of();
    }
    List<Copy> copies = new ArrayList<>();
    if (entry.scheduled()) {
      copies.add(place(place, entry, Situation.of(Situation.Kind.SCHEDULED, entry.properties())));
    } else if (place.kind == Place.Kind.TOPIC) {
      world.subscriptions(place).forEach(each -> copies.addAll(select(each, entry)));
    } else {
      copies.add(place(place, entry, Situation.of(Situation.Kind.HERE, entry.properties())));
    }
    if (verdict == Ids.Verdict.UNCLEAR) {
      copies.forEach(Copy::loosen);
    }
    return copies;
  }

  /** S-266: an id that was seen within the window. */
  private static Ids.Verdict judge(Place place, Entry entry) {
    long window = place.properties().duplicateWindowMillis();
    String id = entry.sent().messageId();
    if (window <= 0 || id == null || place.kind == Place.Kind.SUBSCRIPTION) {
      return Ids.Verdict.NEW;
    }
    Ids.Verdict verdict = place.ids.judge(id, entry.fromMillis(), entry.toMillis());
    boolean sure =
        verdict == Ids.Verdict.NEW && entry.doubt() == null && entry.toMillis() != Long.MAX_VALUE;
    place.ids.remember(id, entry.fromMillis(), entry.toMillis(), window, sure);
    // One that is on its way here may come later, and then it is the duplicate.
    for (Copy other : place.copies) {
      if (other.lastTick == Long.MAX_VALUE && id.equals(other.sent.messageId())) {
        other.loosen();
      }
    }
    return verdict;
  }

  /** A subscription's copies (S-318 to S-320), in the topic's order. */
  List<Copy> select(Place subscription, Entry entry) {
    boolean noSession = subscription.sessions() && entry.sent().sessionId() == null;
    Place dead = world.find(subscription.path + Place.DEAD_LETTERS);
    List<Copy> copies = new ArrayList<>();
    for (Map<String, Object> properties : selected(subscription, entry.properties())) {
      Situation coming = Situation.of(Situation.Kind.COMING, properties);
      if (noSession && dead != null) {
        // S-193
        Map<String, Object> reason = Map.of(Situation.REASON, "Session id is null.");
        copies.add(place(dead, entry, coming.merged(reason)));
      } else {
        copies.add(place(subscription, entry, coming));
      }
    }
    return copies;
  }

  private static List<Map<String, Object>> selected(Place subscription, Map<String, Object> sent) {
    List<Map<String, Object>> copies = new ArrayList<>();
    boolean plain = false;
    for (Rule rule : subscription.rules.values()) {
      if (!matches(rule, sent)) {
        continue;
      }
      if (rule.setsColor() == null) {
        plain = true;
      } else {
        Map<String, Object> changed = new HashMap<>(sent);
        changed.keySet().removeIf(COLOR::equalsIgnoreCase);
        changed.put(COLOR, rule.setsColor());
        changed.put("RuleName", rule.name());
        copies.add(changed);
      }
    }
    if (plain) {
      copies.add(0, sent);
    }
    return copies;
  }

  /** S-323, S-326, S-328, S-330, S-349. */
  private static boolean matches(Rule rule, Map<String, Object> sent) {
    return switch (rule.kind()) {
      case TRUE -> true;
      case FALSE -> false;
      case CORRELATION, SQL ->
          sent.entrySet().stream()
              .anyMatch(
                  each ->
                      COLOR.equalsIgnoreCase(each.getKey())
                          && Objects.equals(each.getValue(), rule.color()));
    };
  }

  private Copy place(Place place, Entry entry, Situation situation) {
    Copy copy = new Copy(place, entry.sent(), entry.origin(), false);
    copy.firstTick = entry.firstTick();
    copy.lastTick = entry.lastTick();
    copy.enqueuedFromMillis = entry.fromMillis();
    copy.enqueuedToMillis =
        situation.kind() == Situation.Kind.COMING ? Long.MAX_VALUE : entry.toMillis();
    copy.fewestHops = entry.fewestHops();
    copy.mostHops = entry.mostHops();
    copy.source = entry.source();
    live(copy, place);
    begin(copy, situation, entry.doubt());
    return copy;
  }

  /** It is in its place when the doubt is true. */
  static void begin(Copy copy, Situation situation, @Nullable Doubt doubt) {
    List<Possible<Situation>> possible = new ArrayList<>();
    if (doubt != null) {
      possible.add(Possible.of(Situation.GONE).with(doubt, false));
    }
    possible.add(Possible.of(situation).with(doubt, true));
    copy.become(possible);
    copy.place.copies.add(copy);
  }

  /** S-164, S-165: the smallest of the message's, the entity's and the topic's lifetime. */
  static void live(Copy copy, Place place) {
    Place entity =
        place.kind == Place.Kind.DEAD_LETTERS && place.parent != null ? place.parent : place;
    Properties own = entity.properties();
    long most = copy.sent.timeToLiveMillis();
    if (entity.kind == Place.Kind.SUBSCRIPTION && entity.parent != null) {
      most = Math.min(most, entity.parent.properties().timeToLiveMillis());
    }
    copy.lifetimes.add(Math.min(most, own.timeToLiveMillis()));
    if (own.forwardTo() != null && entity.kind != Place.Kind.TOPIC) {
      // S-179: an entity that forwards has no lifetime of its own.
      copy.lifetimes.add(most);
    }
  }
}
