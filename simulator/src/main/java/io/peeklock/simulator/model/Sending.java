package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.SentMessage;
import io.peeklock.simulator.model.State.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Messages on their way in. */
final class Sending {
  private final Contents contents;
  private final Topics topics;

  Sending(Contents contents, Topics topics) {
    this.contents = contents;
    this.topics = topics;
  }

  /** Each may be stored by now, or not at all (S-018, S-019; or the answer was lost). */
  void perhaps(Operation.Send send, Moment from, @Nullable Doubt with) {
    var entity = contents.judged(send.path());
    if (entity == null) {
      return;
    }
    var doubt = with == null && send.atomic() && send.messages().size() > 1 ? new Doubt() : with;
    for (var message : send.messages()) {
      var when = new Moment(from.earliest(), State.FOREVER);
      entity.isDuplicate(message, when, false); // of what comes before it, too
      var isNew = message.messageId() == null || entity.properties.duplicateWindowMillis() == 0;
      var copy = store(entity, message, when, 0, false);
      if (doubt != null && copy != null && !entity.isTopic) {
        doubt.on(copy);
        copy.become(
            state ->
                state.isGone()
                    ? Stream.of(false, true)
                        .filter(is -> !is || !isNew)
                        .map(is -> state.where(doubt, is))
                    : Stream.of(state.where(doubt, true)));
      }
    }
  }

  /** S-001, S-002, S-406. */
  void answered(Operation.Send send, Answer answer, Moment when) {
    var entity = contents.judged(send.path());
    if (entity == null) {
      return;
    }
    for (var i = 0; i < send.messages().size(); i++) {
      var message = send.messages().get(i);
      var number =
          answer instanceof Answer.Numbered numbered ? numbered.sequenceNumbers().get(i) : 0;
      if (answer.refusal(i) == null) {
        switch (entity.isDuplicate(message, when, true)) {
          case YES -> never(message);
          case PERHAPS -> store(entity, message, when, number, false);
          case NO -> store(entity, message, when, number, true);
        }
      } else {
        never(message);
      }
    }
  }

  /** It may not come. */
  void never(SentMessage message) {
    contents.add(message, Stream.of(State.nowhere()));
  }

  /** An entity took it, surely or perhaps. */
  private @Nullable Copy store(
      Entity entity, SentMessage message, Moment when, long number, boolean isCertain) {
    var arrival = isCertain ? contents.arrival() : 0;
    var states = stored(entity, message, when, number, arrival);
    if (entity.isTopic) {
      var isDue = states.removeIf(state -> state.kind != Kind.SCHEDULED);
      if (isDue) {
        topics.taken(entity, message, when, isCertain && states.isEmpty());
      }
      if (states.isEmpty()) {
        return null;
      }
      isCertain &= !isDue;
    }
    if (!isCertain) {
      states.add(State.nowhere());
    }
    var copy = contents.add(message, states.stream());
    if (entity.isTopic) {
      topics.waits(copy);
    }
    return copy;
  }

  /** As it may be in its entity, where it came in between these times. */
  private List<State> stored(
      Entity entity, SentMessage message, Moment when, long number, long arrival) {
    // what has no answer becomes active later, if at all
    var latest = when.isOpen() ? when.earliest() : when.latest();
    var states = new ArrayList<State>();
    contents
        .timesToLive(entity, message, when)
        .forEach(
            lives -> {
              var active =
                  State.in(entity.path)
                      .but(
                          state -> {
                            state.number = number;
                            state.arrival = arrival;
                            state.enqueuedFrom = when.earliest();
                            state.enqueuedTo = when.latest();
                            state.timeToLive = lives;
                            state.properties = new TreeMap<>(message.properties());
                          });
              if (message.dueAtMillis() > when.earliest()) {
                states.add(active.scheduled(message.dueAtMillis())); // S-148
              }
              if (message.dueAtMillis() <= latest) {
                states.add(active); // S-150
              }
            });
    return states;
  }
}
