package io.peeklock.simulator.bugs;

import io.peeklock.simulator.bugs.SeededBug.Kind;
import java.util.List;

/** Bugs of the stages between the edge, the rules and the log. */
final class RuntimeBugs {
  static final List<SeededBug> ALL =
      List.of(
          SeededBug.of("an answer leaves one batch too early", "I-01", Kind.DURABILITY)
              .in(
                  "runtime.Gate",
                  "if (next.index > durable || next.loading) {",
                  "if (next.index > durable + 1 || next.loading) {"),
          SeededBug.of("what is loading is overtaken", "S-135", Kind.ORDER)
              .in(
                  "runtime.Gate",
                  """
                  if (next.index > durable || next.loading) {
                    return;
                  }
                  line.effects.remove();
                  """,
                  """
                  if (next.index > durable || next.loading) {
                    next = null;
                    for (var other : line.effects) {
                      if (next == null && other.index <= durable && !other.loading) {
                        next = other;
                      }
                    }
                    if (next == null) {
                      return;
                    }
                  }
                  line.effects.remove(next);
                  """),
          SeededBug.of("a batch is applied twice", "S-121", Kind.RECOVERY)
              .in(
                  "runtime.Replayer",
                  """
                  return; // decided on a batch that never became part of the log
                  }
                  for (var fact : facts) {
                    machine.apply(index, fact);
                  """,
                  """
                  return;
                  }
                  for (var fact : facts) {
                    if (fact instanceof Fact.LockLapsed) {
                      machine.apply(index, fact);
                    }
                    machine.apply(index, fact);
                  """),
          SeededBug.of("time begins again with each process", "I-14", Kind.TIME)
              .in(
                  "runtime.Stamper",
                  "shardMillis = Math.max(clock.wallMillis(), lastDurableMillis);",
                  "shardMillis = clock.wallMillis();"),
          SeededBug.of("a sleep is not slept", "case 11 as it was", Kind.TIME)
              .in(
                  "runtime.Stamper",
                  "var slept = clock.sleptMillis() - sleptMillis;",
                  "var slept = 0L;")
              .in(
                  "runtime.Stamper",
                  "} else if (monotonicMillis - jumpedAtMillis >= DOUBT_MILLIS) {",
                  "} else if (monotonicMillis - jumpedAtMillis >= 1_000 * DOUBT_MILLIS) {"),
          SeededBug.of("what is left in the mailbox is not looked at", "S-002", Kind.LIVENESS)
              .in(
                  "runtime.Shard",
                  "if (!mailbox.isEmpty() || machine.wantsDispatch() || mayForward()) {",
                  "if (machine.wantsDispatch() || mayForward()) {"),
          SeededBug.of("nobody wakes for what is due", "S-151", Kind.LIVENESS)
              .in(
                  "runtime.Shard",
                  "var wait = machine.nextTickMillis(stamp);",
                  "var wait = Long.MAX_VALUE;"),
          SeededBug.of("who waits behind a read waits for ever", "S-002", Kind.LIVENESS)
              .in("runtime.WaitingRequests", "mailbox.putBack(behind);", ""));

  private RuntimeBugs() {}
}
