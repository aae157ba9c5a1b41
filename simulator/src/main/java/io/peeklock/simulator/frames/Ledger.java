package io.peeklock.simulator.frames;

import io.peeklock.simulator.client.Numbers;
import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Auditor;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.SeenMessage;
import io.peeklock.simulator.world.World;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What clients asked one process of the broker and are not answered; tells the auditor. */
final class Ledger {
  final Locks locks;
  private final World world;
  private final Auditor auditor;
  private final Numbers numbers;
  private final TreeMap<Long, Operation> unanswered = new TreeMap<>();

  Ledger(World world, Auditor auditor, Numbers numbers, Locks locks) {
    this.world = world;
    this.auditor = auditor;
    this.numbers = numbers;
    this.locks = locks;
  }

  /** Somebody asks what is not answered; its number. */
  long ask(Operation operation) {
    var id = numbers.next();
    auditor.asked(id, operation, world.nowMillis());
    return id;
  }

  /** Somebody asks, and waits for an answer. */
  long question(Operation operation) {
    var id = ask(operation);
    unanswered.put(id, operation);
    return id;
  }

  void answer(long id, Answer answer) {
    if (unanswered.remove(id) != null) {
      auditor.answered(id, answer, world.nowMillis());
    }
  }

  /** Nobody will hear the answer. */
  void doubt(long id) {
    if (unanswered.remove(id) != null) {
      auditor.inDoubt(id, world.nowMillis());
    }
  }

  void delivered(String receiver, SeenMessage message) {
    auditor.delivered(receiver, List.of(message), world.nowMillis());
  }

  void drained(String receiver) {
    auditor.drained(receiver, world.nowMillis());
  }

  void receiverEnded(String receiver, String why) {
    auditor.receiverEnded(receiver, why, world.nowMillis());
  }

  void rolledBack(String transaction) {
    auditor.rolledBack(transaction, world.nowMillis());
  }

  /** By their numbers. */
  Map<Long, Operation> unanswered() {
    return unanswered;
  }
}
