package io.peeklock.simulator.client;

import io.peeklock.simulator.history.Auditor;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What happened at the edge of the broker, in the order in which it was asked and decided, though
 * some of it is told later. What is told stands behind what was decided before it.
 */
final class HistoryRecorder {
  private static final long ASKED = 0;

  private final Auditor auditor;
  private final ArrayDeque<Event> events = new ArrayDeque<>();

  HistoryRecorder(Auditor auditor) {
    this.auditor = auditor;
  }

  /** A place in the order, whose report may not be known yet. */
  static final class Event {
    final long millis;
    private @Nullable Consumer<Auditor> report;
    private boolean isOver;

    private Event(long millis) {
      this.millis = millis;
    }

    /** This is what happened. */
    void write(Consumer<Auditor> told) {
      report = told;
      isOver = true;
    }

    /** Nobody was told. */
    void discard() {
      isOver = true;
    }
  }

  /** A place for what is decided now. */
  Event open(long millis) {
    var event = new Event(millis);
    events.add(event);
    return event;
  }

  /** It happens now, and is known. */
  void add(Consumer<Auditor> told) {
    open(ASKED).write(told);
  }

  /** Tells what is known up to the first that is not. */
  void tell() {
    for (var event = events.peek(); event != null && event.isOver; event = events.peek()) {
      events.remove();
      if (event.report != null) {
        event.report.accept(auditor);
      }
    }
  }

  /**
   * Nothing more will become known: tells what is, up to the first of which nobody was told; behind
   * it only what was asked, of which anything may have come.
   */
  void tellAll() {
    var isGap = false;
    for (var event = events.poll(); event != null; event = events.poll()) {
      isGap |= !event.isOver;
      if (event.report != null && (!isGap || event.millis == ASKED)) {
        event.report.accept(auditor);
      }
    }
  }

  /** How many were decided that the auditor has not been told. */
  int pending() {
    return events.size();
  }
}
