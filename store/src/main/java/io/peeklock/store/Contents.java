package io.peeklock.store;

import io.peeklock.kernel.machine.Machine;
import java.util.List;
import java.util.Locale;

/** The contents of the queues of a state, for people. */
final class Contents {
  private Contents() {}

  /** A line for each queue. */
  static List<String> lines(Machine machine) {
    return machine.queues().stream()
        .map(
            entry -> {
              var counts = machine.counts(entry.queue());
              return String.format(
                  Locale.ROOT,
                  "%s: %d active, %d scheduled, %d deferred, %d dead-lettered",
                  entry.definition().path(),
                  counts.active(),
                  counts.scheduled(),
                  counts.deferred(),
                  counts.deadLetters());
            })
        .toList();
  }
}
