package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.SentMessage;
import io.peeklock.simulator.model.State.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Messages on their way from topics into subscriptions. */
final class Topics {
  private final Contents contents;

  /** Messages that a topic took since all was at rest: rules may not have been asked yet. */
  private final List<Taken> recent = new ArrayList<>();

  /** Copies that wait in topics for their time (S-156). */
  private final List<Copy> scheduled = new ArrayList<>();

  /** What was taken; its time to live is what topic and sender gave it then (S-164). */
  private record Taken(
      Entity topic, SentMessage message, long timeToLive, Moment when, long due, State as) {}

  Topics(Contents contents) {
    this.contents = contents;
  }

  /** A topic took a message, surely or perhaps, that is due at once (S-053). */
  void taken(Entity topic, SentMessage message, Moment when, boolean isCertain) {
    var as = State.in(topic.path).with(message.properties());
    contents
        .timesToLive(topic, message, when)
        .forEach(lives -> offer(new Taken(topic, message, lives, when, 0, as), isCertain));
  }

  private void offer(Taken taken, boolean isCertain) {
    recent.add(taken);
    contents.add(taken.message, Stream.of(State.nowhere())); // none may take it (S-054)
    for (var entity : contents.entities.values()) {
      if (entity.isSubscription() && entity.topic().equals(taken.topic.path)) {
        offer(taken, entity, isCertain);
      }
    }
  }

  private void offer(Taken taken, Entity to, boolean isCertain) {
    var message = taken.message;
    if (contents.judged(to.path) == null) {
      return;
    }
    var arrival = isCertain ? contents.arrival() : 0; // of all its copies, in whichever order
    for (var changes : to.takes(taken.as.properties)) {
      var coming =
          State.in(to.path)
              .but(
                  state -> {
                    state.kind = Kind.COMING;
                    state.arrival = arrival;
                    state.due = taken.due;
                    state.enqueuedFrom = taken.when.earliest();
                    state.timeToLive =
                        Math.min(taken.timeToLive, Entity.timeToLive(to.properties)); // S-165
                    state.properties = taken.as.properties;
                    state.hops = taken.as.hops;
                    state.deadLetterSource = taken.as.deadLetterSource;
                  })
              .with(changes);
      if (to.properties.requiresSession() && message.sessionId() == null) {
        var dead = coming.dead("Session id is null."); // S-193
        coming = dead.but(state -> state.kind = Kind.COMING);
      }
      contents.add(message, isCertain ? Stream.of(coming) : Stream.of(State.nowhere(), coming));
    }
  }

  /** A topic keeps a message for later. */
  void waits(Copy copy) {
    scheduled.add(copy);
  }

  /** What was forwarded to a topic is offered to its rules. */
  boolean arrive() {
    var arrived = contents.course.forwarding.take();
    for (var each : arrived) {
      var topic = contents.entities.get(each.topic());
      var state = each.state();
      if (topic != null) {
        var when = new Moment(state.enqueuedFrom, State.FOREVER);
        offer(new Taken(topic, each.copy().sent, state.timeToLive, when, 0, state), false);
      }
    }
    return !arrived.isEmpty();
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
          var due = state.get().due;
          var when = new Moment(due - now.slack(), State.FOREVER);
          offer(new Taken(topic, copy.sent, state.get().timeToLive, when, due, state.get()), false);
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
    } else if (operation instanceof Operation.ReplaceRule replace) {
      entity.rules.replaceAll(
          rule -> rule.name().equals(replace.rule().name()) ? replace.rule() : rule);
    }
    for (var taken : recent) {
      if (taken.topic.path.equals(entity.topic())) {
        offer(taken, entity, false);
      }
    }
    contents
        .possibly(state -> state.isIn(subscription) && state.kind == Kind.COMING)
        .forEach(copy -> copy.mayBecome(state -> Stream.of(state.gone())));
  }

  /** Times to live of a topic and its subscriptions are as those of what is under way were not. */
  void updated(Entity entity, Operation.Update update, Answer answer) {
    for (var other : List.copyOf(contents.entities.values())) {
      if (other.isSubscription() && (other == entity || other.topic().equals(entity.path))) {
        changed(other.path, update, answer);
      }
    }
  }

  /** S-157: a new subscription may be offered what falls due, and nothing older (S-057). */
  void made(Entity subscription) {
    for (var taken : recent) {
      if (taken.topic.path.equals(subscription.topic()) && taken.when.latest() == State.FOREVER) {
        offer(taken, subscription, false);
      }
    }
  }

  /** All that was under way has come, but for what may not have been due. */
  void rest(Moment now) {
    recent.removeIf(taken -> taken.due == 0 || contents.course.isDue(taken.topic, taken.due, now));
  }
}
