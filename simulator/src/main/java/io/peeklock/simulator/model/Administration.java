package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.Operation.Rule;
import io.peeklock.simulator.history.Properties;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Creates, changes and deletes entities and rules. */
final class Administration implements Clerk {
  private static final Rule DEFAULT = new Rule("$Default", Rule.Kind.TRUE, null, null);

  private final World world;
  private final Moves moves;

  Administration(World world, Moves moves) {
    this.world = world;
    this.moves = moves;
  }

  @Override
  public boolean answered(Asked asked, Answer answer, long now) {
    switch (asked.operation()) {
      case Operation.CreateQueue queue ->
          create(Place.Kind.QUEUE, queue.path(), null, queue.properties(), answer);
      case Operation.CreateTopic topic ->
          create(Place.Kind.TOPIC, topic.path(), null, topic.properties(), answer);
      case Operation.CreateSubscription subscription -> subscribe(subscription, answer);
      case Operation.Update update -> update(update, answer);
      case Operation.Delete delete -> delete(delete, answer);
      case Operation.AddRule add -> add(add, answer);
      case Operation.RemoveRule remove -> remove(remove, answer);
      default -> {
        return false;
      }
    }
    return true;
  }

  private @Nullable Place create(
      Place.Kind kind, String path, @Nullable Place topic, Properties properties, Answer answer) {
    Expect expect = new Expect("S-061").may("QuotaExceeded", "FeatureNotAvailable");
    if (world.find(path) != null) {
      expect.must("S-061", "EntityAlreadyExists");
    }
    if (kind == Place.Kind.SUBSCRIPTION && topic == null) {
      expect.must("S-062", "EntityNotFound");
    }
    destinations(expect, kind, properties);
    if (!expect.done(answer)) {
      return null;
    }
    Place place = new Place(path, kind, topic, properties);
    world.add(place);
    if (kind != Place.Kind.TOPIC) {
      // S-181: there always is a dead-letter queue.
      String dead = path + Place.DEAD_LETTERS;
      world.add(new Place(dead, Place.Kind.DEAD_LETTERS, place, properties));
    }
    return place;
  }

  /** S-286, S-288. */
  private void destinations(Expect expect, Place.Kind kind, Properties properties) {
    if (kind == Place.Kind.TOPIC) {
      return;
    }
    if (properties.requiresSession() && properties.forwardTo() != null) {
      expect.wrongKind("S-288").may("MessagesAreForwarded");
    }
    missing(expect, properties.forwardTo());
    missing(expect, properties.forwardDeadLettersTo());
  }

  private void missing(Expect expect, @Nullable String path) {
    if (path != null && !world.isVague(path)) {
      Place target = world.find(path);
      boolean takes =
          target != null && (target.kind == Place.Kind.QUEUE || target.kind == Place.Kind.TOPIC);
      expect.mustWhen(!takes, !takes, "S-286", "ForwardDestinationNotFound");
    }
  }

  private void subscribe(Operation.CreateSubscription create, Answer answer) {
    Place topic = world.find(Place.root(create.path()));
    Place place =
        create(Place.Kind.SUBSCRIPTION, create.path(), topic, create.properties(), answer);
    if (place != null) {
      // S-313, S-314
      List<Rule> rules = create.rules() == null ? List.of(DEFAULT) : create.rules();
      rules.forEach(rule -> place.rules.put(rule.name(), rule));
      moves.rulesChanged(place);
    }
  }

  private void update(Operation.Update update, Answer answer) {
    Place place = world.find(update.path());
    Expect expect = new Expect("S-067").may("QuotaExceeded", "FeatureNotAvailable");
    if (place == null || place.kind == Place.Kind.DEAD_LETTERS) {
      expect.must("S-062", "EntityNotFound").done(answer);
      return;
    }
    Properties before = place.properties();
    Properties after = update.properties();
    boolean sessions =
        place.kind != Place.Kind.TOPIC && before.requiresSession() != after.requiresSession();
    boolean duplicates =
        place.kind != Place.Kind.SUBSCRIPTION
            && before.duplicateWindowMillis() > 0 != after.duplicateWindowMillis() > 0;
    if (sessions || duplicates) {
      expect.must("S-067", "PropertyFixed");
    }
    destinations(expect, place.kind, after);
    if (expect.done(answer)) {
      place.update(after);
      if (place.kind == Place.Kind.TOPIC) {
        world.subscriptions(place).forEach(Administration::lifetimes);
      }
      lifetimes(place);
    }
  }

  /** What is on its way may come before or after the change. */
  private static void lifetimes(Place place) {
    place.copies.stream()
        .filter(copy -> copy.enqueuedToMillis == Long.MAX_VALUE)
        .forEach(copy -> Arrivals.live(copy, place));
  }

  /** S-071: all that is below it goes with it. */
  private void delete(Operation.Delete delete, Answer answer) {
    Place place = world.find(delete.path());
    Expect expect = new Expect("S-071");
    if (place == null) {
      expect.must("S-062", "EntityNotFound");
    } else if (place.kind == Place.Kind.DEAD_LETTERS) {
      expect.wrongKind("S-181");
    }
    if (expect.done(answer)) {
      drop(delete.path());
    }
  }

  void drop(String path) {
    Place top = world.find(path);
    for (Place place : List.copyOf(world.places.values())) {
      Place parent = place.parent;
      boolean below = parent != null && (parent == top || parent.parent == top);
      if (top != null && (place == top || below)) {
        List.copyOf(place.copies).forEach(copy -> copy.change(each -> Situation.GONE));
        world.receivers.values().stream()
            .filter(each -> each.place == place)
            .forEach(each -> each.ended = true);
        world.places.remove(place.path.toLowerCase(Locale.ROOT));
      }
    }
  }

  private void add(Operation.AddRule add, Answer answer) {
    Place place = world.find(add.subscription());
    Expect expect = new Expect("S-317").may("QuotaExceeded", "FeatureNotAvailable");
    if (place == null || place.kind != Place.Kind.SUBSCRIPTION) {
      expect.must("S-062", "EntityNotFound").done(answer);
      return;
    }
    if (place.rules.containsKey(add.rule().name())) {
      expect.must("S-317", "RuleAlreadyExists");
    }
    if (expect.done(answer)) {
      place.rules.put(add.rule().name(), add.rule());
      moves.rulesChanged(place);
    }
  }

  private void remove(Operation.RemoveRule remove, Answer answer) {
    Place place = world.find(remove.subscription());
    Expect expect = new Expect("S-321");
    if (place == null || place.kind != Place.Kind.SUBSCRIPTION) {
      expect.must("S-062", "EntityNotFound").done(answer);
      return;
    }
    if (!place.rules.containsKey(remove.name())) {
      expect.must("S-321", "RuleNotFound");
    }
    if (expect.done(answer)) {
      place.rules.remove(remove.name());
      moves.rulesChanged(place);
    }
  }

  /** Whether it changed anything nobody can tell. */
  @Override
  public void inDoubt(Asked asked, long now) {
    switch (asked.operation()) {
      case Operation.CreateQueue create -> world.giveUp(create.path());
      case Operation.CreateTopic create -> world.giveUp(create.path());
      case Operation.CreateSubscription create -> world.giveUp(create.path());
      case Operation.Update update -> world.giveUp(update.path());
      case Operation.Delete delete -> world.giveUp(delete.path());
      case Operation.AddRule add -> world.giveUp(add.subscription());
      case Operation.RemoveRule remove -> world.giveUp(remove.subscription());
      default -> {}
    }
  }

  /**
   * An answer about an entity nobody knows. When it is created or deleted it is known again.
   *
   * @return whether that is so
   */
  boolean isKnownAgain(Operation operation, Answer answer) {
    boolean create =
        operation instanceof Operation.CreateQueue || operation instanceof Operation.CreateTopic;
    String path = Paths.of(operation, world);
    boolean whole =
        create
            || (operation instanceof Operation.Delete
                && Place.root(path).equals(path.toLowerCase(Locale.ROOT)));
    if (whole && answer instanceof Answer.Done) {
      world.vague.remove(Place.root(path));
      drop(path);
      return create;
    }
    return false;
  }
}
