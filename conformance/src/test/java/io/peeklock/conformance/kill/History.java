package io.peeklock.conformance.kill;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** What all threads of a round saw, in one order. Safe for any thread. */
final class History {
  private final AtomicLong clock = new AtomicLong();
  private final Queue<Event> events = new ConcurrentLinkedQueue<>();

  /** The next place in the order. */
  long now() {
    return clock.incrementAndGet();
  }

  void add(Event event) {
    events.add(event);
  }

  /** Everything so far, in order. */
  List<Event> events() {
    var all = new ArrayList<>(events);
    all.sort(Comparator.comparingLong(Event::at));
    return all;
  }
}
