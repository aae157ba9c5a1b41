package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.SentMessage;
import io.peeklock.simulator.model.State.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Messages on their way from topics into subscriptions. */
final class Topics {
  private final Contents contents;

  /** Messages that a topic took since all was at rest: rules may not have been asked yet. */
  private final List<Taken> recent = new ArrayList<>();

  /** Copies that wait in topics for their time (S-156). */
  private final List<Copy> scheduled = new ArrayList<>();

  private record Taken(Entity topic, SentMessage message, Moment when) {}

  Topics(Contents contents) {
    this.contents = contents;
  }

  /** A topic took a message, surely or perhaps, that is due at once (S-053). */
  void taken(Entity topic, SentMessage message, Moment when, boolean isCertain) {
    recent.add(new Taken(topic, message, when));
    contents.add(new Copy(message, Stream.of(State.gone()))); // no rule may take it (S-054)
    for (var entity : contents.entities.values()) {
      if (entity.topic().equals(topic.path) && entity.isSubscription()) {
        offer(topic, entity, message, when, isCertain);
      }
    }
  }

  private void offer(Entity topic, Entity to, SentMessage message, Moment when, boolean isCertain) {
    if (contents.judged(to.path) == null) {
      return;
    }
    for (var changes : to.takes(message.properties())) {
      var coming =
          State.in(to.path)
              .but(
                  state -> {
                    state.kind = Kind.COMING;
                    state.arrival = isCertain ? contents.arrival() : 0;
                    state.enqueuedFrom = when.earliest();
                    state.timeToLive = timeToLive(topic, to, message);
                    state.properties = new TreeMap<>(message.properties());
                  })
              .with(changes);
      contents.add(
          new Copy(message, isCertain ? Stream.of(coming) : Stream.of(State.gone(), coming)));
    }
  }

  /** S-165. */
  private static long timeToLive(Entity topic, Entity to, SentMessage message) {
    return Math.min(
        message.timeToLiveMillis(),
        Math.min(topic.properties.timeToLiveMillis(), to.properties.timeToLiveMillis()));
  }

  /** A topic keeps a message for later. */
  void waits(Copy copy) {
    scheduled.add(copy);
  }

  /** S-151, S-156: what is due is offered to the rules, now or later. */
  void advance(Moment now) {
    for (var copy : List.copyOf(scheduled)) {
      var state = copy.states().stream().filter(each -> each.kind == Kind.SCHEDULED).findFirst();
      if (state.isEmpty()) {
        scheduled.remove(copy);
      } else if (now.mayBeAfter(state.get().due)) {
        scheduled.remove(copy);
        var topic = contents.judged(state.get().place);
        if (topic != null) {
          var when = new Moment(state.get().due - now.slack(), State.FOREVER);
          taken(topic, copy.sent, when, false);
        }
      }
    }
  }

  /** S-317, S-321: what is under way may be offered to the rules before and after the change. */
  void changed(String subscription, Operation operation, Answer answer) {
    var entity = contents.judged(subscription);
    if (entity == null || !(answer instanceof Answer.Done)) {
      return;
    }
    if (operation instanceof Operation.AddRule add) {
      entity.rules.add(add.rule());
    } else if (operation instanceof Operation.RemoveRule remove) {
      entity.rules.removeIf(rule -> rule.name().equals(remove.name()));
    }
    for (var taken : recent) {
      if (taken.topic.path.equals(entity.topic())) {
        offer(taken.topic, entity, taken.message, taken.when, false);
      }
    }
    contents
        .possibly(state -> state.isIn(subscription) && state.kind == Kind.COMING)
        .forEach(copy -> copy.add(State.gone()));
  }

  /** Times to live of a topic and its subscriptions are as those of what is under way were not. */
  void updated(Entity entity, Operation.Update update, Answer answer) {
    for (var other : List.copyOf(contents.entities.values())) {
      if (other.isSubscription() && (other == entity || other.topic().equals(entity.path))) {
        changed(other.path, update, answer);
      }
    }
  }

  /** All that was under way has come, but for what may not have been due. */
  void rest(Moment now) {
    recent.removeIf(
        taken ->
            taken.when.latest() != State.FOREVER
                || now.whenDue().isSurelyAfter(taken.when.earliest() + 2 * now.slack()));
  }
}
