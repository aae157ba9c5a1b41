package io.peeklock.simulator.frames;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Auditor;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.world.World;
import java.util.TreeMap;

/** What clients asked and are not answered; tells the auditor. */
final class Ledger {
  final World world;
  final Auditor auditor;
  private final TreeMap<Long, Operation> unanswered = new TreeMap<>();
  private long ids;

  Ledger(World world, Auditor auditor) {
    this.world = world;
    this.auditor = auditor;
  }

  long nowMillis() {
    return world.nowMillis();
  }

  /** Somebody asks what is not answered; its number. */
  long ask(Operation operation) {
    var id = ++ids;
    auditor.asked(id, operation, nowMillis());
    return id;
  }

  /** Somebody asks, and waits for an answer. */
  long question(Operation operation) {
    var id = ask(operation);
    unanswered.put(id, operation);
    return id;
  }

  boolean isOpen(long id) {
    return unanswered.containsKey(id);
  }

  void answer(long id, Answer answer) {
    if (unanswered.remove(id) != null) {
      auditor.answered(id, answer, nowMillis());
    }
  }

  /** Nobody will hear: it is in doubt. */
  void forget(long id) {
    unanswered.remove(id);
  }

  TreeMap<Long, Operation> unanswered() {
    return unanswered;
  }

  /** There is another process: nothing is answered any more. */
  void restarted() {
    unanswered.clear();
    auditor.restarted(nowMillis());
  }
}
