package io.peeklock.conformance.kill;

import io.peeklock.conformance.kill.Event.MoveTried;
import io.peeklock.conformance.kill.Event.Together;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What happens wholly or not at all: the copies of a topic's message (I-35), and what a transaction
 * sends and completes (I-27). Everything that is kept is seen, on the way or at the end.
 */
final class WholeJudge {
  private final List<String> violations;
  private final List<Together> together = new ArrayList<>();
  private final Map<String, List<String>> moves = new LinkedHashMap<>();
  private int copies;
  private int moved;
  private int unknownMoves;

  WholeJudge(List<String> violations) {
    this.violations = violations;
  }

  void read(Together event) {
    together.add(event);
  }

  void read(MoveTried event) {
    moves.computeIfAbsent(event.from(), fresh -> new ArrayList<>()).add(event.to());
  }

  void judge(Map<String, Life> lives) {
    for (var group : together) {
      var seen = group.ids().stream().filter(id -> isSeen(id, lives)).toList();
      copies += group.ids().stream().anyMatch(id -> id.contains("@")) ? seen.size() : 0;
      if (!seen.isEmpty() && seen.size() < group.ids().size()) {
        var invariant = group.ids().stream().anyMatch(id -> id.contains("@")) ? "I-35" : "I-27";
        violations.add(invariant + ": of " + group.ids() + " only " + seen + " came to be");
      }
    }
    moves.forEach((from, targets) -> judge(from, targets, lives));
  }

  private static boolean isSeen(String id, Map<String, Life> lives) {
    var life = lives.get(id);
    return life != null && life.seen();
  }

  private void judge(String from, List<String> targets, Map<String, Life> lives) {
    var life = lives.get(from);
    var there = targets.stream().filter(id -> isSeen(id, lives)).toList();
    var stays = life != null && !life.found.isEmpty();
    if (there.size() > 1) {
      violations.add("I-27: " + from + " was moved more than once: " + there);
    }
    if (stays && !there.isEmpty()) {
      violations.add("I-27: " + from + " is still there, and so is " + there);
    }
    if (!stays && there.isEmpty()) {
      violations.add("I-27: " + from + " is gone, and nothing of " + targets + " is there");
    }
    moved += there.size();
    unknownMoves += (int) targets.stream().filter(id -> isUnanswered(id, lives)).count();
  }

  private static boolean isUnanswered(String id, Map<String, Life> lives) {
    var life = lives.get(id);
    return life == null || life.answer == null;
  }

  /** Copies of a topic's messages that were seen. */
  int copies() {
    return copies;
  }

  /** Messages that a transaction took out of one queue and into another. */
  int moved() {
    return moved;
  }

  /** Moves whose commit was not answered. */
  int unknownMoves() {
    return unknownMoves;
  }
}
