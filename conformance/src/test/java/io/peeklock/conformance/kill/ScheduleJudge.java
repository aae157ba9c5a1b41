package io.peeklock.conformance.kill;

import io.peeklock.conformance.kill.Event.CameAt;
import io.peeklock.conformance.kill.Event.DueAt;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Scheduled messages: none is early, and who was cancelled never comes (I-31). */
final class ScheduleJudge {
  /** The broker's clock and ours are one; but ours is read a little later. */
  private static final long ALLOWANCE_MILLIS = 20;

  private final List<String> violations;
  private final Map<String, Long> due = new HashMap<>();
  private int came;

  ScheduleJudge(List<String> violations) {
    this.violations = violations;
  }

  void read(DueAt event) {
    due.put(event.id(), event.millis());
  }

  void read(CameAt event) {
    came++;
    var earliest = due.getOrDefault(event.id(), 0L);
    if (event.millis() < earliest - ALLOWANCE_MILLIS) {
      violations.add(
          "I-31: " + event.id() + " came " + (earliest - event.millis()) + " ms before its time");
    }
  }

  void judge(Map<String, Life> lives) {
    for (var life : lives.values()) {
      if (life.cancelled() && life.seen()) {
        violations.add(
            "I-31: " + life.id + " was cancelled and came: " + life.deliveries + life.found);
      }
    }
  }

  /** Deliveries of scheduled messages. */
  int came() {
    return came;
  }
}
