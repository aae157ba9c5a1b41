package io.peeklock.simulator;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Auditor;
import io.peeklock.simulator.history.Clients;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.world.World;
import java.util.TreeMap;

/** Counts and lists all that is stored, for the auditors to compare. */
final class Inventory implements Auditor {
  private static final int PAGE = 250;
  private static final int MAX_PAGES = 1_000;

  private final TreeMap<Long, Operation.Peek> asked = new TreeMap<>();
  private long next;

  /** Of every queue, subscription and topic, in pages until one is empty. */
  void take(World world, Clients clients) {
    for (var path : clients.entities()) {
      clients.ask(new Operation.Count(path));
      list(path, world, clients);
      list(path + "/$DeadLetterQueue", world, clients);
    }
    world.settle();
  }

  private void list(String path, World world, Clients clients) {
    next = 1;
    for (var page = 0; page < MAX_PAGES && next > 0; page++) {
      clients.ask(new Operation.Peek(path, next, PAGE, null));
      next = 0; // unless more is found
      world.settle();
    }
  }

  @Override
  public void asked(long id, Operation operation, long nowMillis) {
    if (operation instanceof Operation.Peek peek) {
      asked.put(id, peek);
    }
  }

  @Override
  public void answered(long id, Answer answer, long nowMillis) {
    var peek = asked.remove(id);
    if (peek != null && answer instanceof Answer.Messages some && !some.messages().isEmpty()) {
      next = some.messages().getLast().sequenceNumber() + 1;
    }
  }

  @Override
  public void restarted(long nowMillis) {
    asked.clear();
  }
}
