package io.peeklock.conformance.kill;

import io.peeklock.conformance.kill.Event.InSession;
import io.peeklock.conformance.kill.Event.StateAnswered;
import io.peeklock.conformance.kill.Event.StateRead;
import io.peeklock.conformance.kill.Event.StateTried;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Message sessions: who comes for the first time comes in order (I-24), and a state is what was set
 * last, also by the broker before (I-25).
 */
final class SessionJudge {
  private final List<String> violations;
  private final Map<String, String> sessionOf = new HashMap<>();
  private final Map<String, TreeSet<Long>> tried = new HashMap<>();
  private final Map<String, TreeMap<Long, Long>> answered = new HashMap<>();
  private int states;
  private int statesRead;
  private int ordered;

  /** A message that came for the first time. */
  private record First(long at, long number, String id) {}

  SessionJudge(List<String> violations) {
    this.violations = violations;
  }

  void read(InSession member) {
    sessionOf.put(member.id(), member.session());
  }

  void read(StateTried event) {
    tried.computeIfAbsent(event.session(), fresh -> new TreeSet<>()).add(event.value());
  }

  void read(StateAnswered event) {
    states++;
    answered
        .computeIfAbsent(event.session(), fresh -> new TreeMap<>())
        .put(event.at(), event.value());
  }

  /** What was confirmed before the reading began is there, or something later. */
  void read(StateRead event) {
    statesRead += event.value() > 0 ? 1 : 0;
    var before = answered.getOrDefault(event.session(), new TreeMap<>()).lowerEntry(event.began());
    var sure = before == null ? 0 : before.getValue();
    var isKnown =
        event.value() == 0
            || tried.getOrDefault(event.session(), new TreeSet<>()).contains(event.value());
    if (event.value() < sure || !isKnown) {
      violations.add(
          "I-25: the state of " + event.session() + " was set to " + sure + ", not " + event);
    }
  }

  void judge(Map<String, Life> lives) {
    var firsts = new HashMap<String, List<First>>();
    for (var member : sessionOf.entrySet()) {
      var life = lives.get(member.getKey());
      if (life != null && !life.deliveries.isEmpty()) {
        var delivery = life.deliveries.getFirst();
        firsts
            .computeIfAbsent(member.getValue(), fresh -> new ArrayList<>())
            .add(new First(delivery.at(), delivery.number(), life.id));
      }
    }
    firsts.forEach(this::judge);
  }

  private void judge(String session, List<First> firsts) {
    firsts.sort(Comparator.comparingLong(First::at));
    ordered += firsts.size();
    for (var i = 1; i < firsts.size(); i++) {
      if (firsts.get(i).number() < firsts.get(i - 1).number()) {
        violations.add(
            "I-24: "
                + firsts.get(i).id()
                + " of session "
                + session
                + " came after "
                + firsts.get(i - 1));
      }
    }
  }

  /** Messages of sessions that were looked at. */
  int ordered() {
    return ordered;
  }

  /** How many states were set. */
  int states() {
    return states;
  }

  /** How many states were read that somebody had set. */
  int statesRead() {
    return statesRead;
  }
}
