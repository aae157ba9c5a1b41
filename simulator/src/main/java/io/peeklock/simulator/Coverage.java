package io.peeklock.simulator;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Auditor;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.SeenMessage;
import io.peeklock.simulator.world.Fault;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How often what happened: operations by their outcome, deliveries, faults. */
final class Coverage implements Auditor {
  private final TreeMap<String, Long> counts = new TreeMap<>();
  private final TreeMap<Long, String> asked = new TreeMap<>();
  private long operations;

  /** By what happened. */
  Map<String, Long> counts() {
    return Collections.unmodifiableMap(counts);
  }

  /** How many operations were asked. */
  long operations() {
    return operations;
  }

  void add(Coverage other) {
    other.counts.forEach((what, times) -> counts.merge(what, times, Long::sum));
    operations += other.operations;
  }

  void add(Map<String, Long> others) {
    others.forEach((what, times) -> counts.merge(what, times, Long::sum));
  }

  void note(Fault fault) {
    count("fault " + fault);
  }

  private void count(String what) {
    counts.merge(what, 1L, Long::sum);
  }

  @Override
  public void asked(long id, Operation operation, long nowMillis) {
    operations++;
    var name = operation.getClass().getSimpleName();
    asked.put(id, name);
    count(name + " asked");
  }

  @Override
  public void answered(long id, Answer answer, long nowMillis) {
    var name = asked.remove(id);
    var outcome =
        answer instanceof Answer.Refused refused
            ? refused.why()
            : answer.getClass().getSimpleName();
    count(name + " → " + outcome);
  }

  @Override
  public void inDoubt(long id, long nowMillis) {
    count(asked.remove(id) + " in doubt");
  }

  @Override
  public void delivered(String receiver, List<SeenMessage> messages, long nowMillis) {
    count("delivered");
    for (var message : messages) {
      if (message.deliveryCount() > 0) {
        count("delivered again");
      }
    }
  }

  @Override
  public void undelivered(String receiver, long nowMillis) {
    count("not delivered");
  }

  @Override
  public void drained(String receiver, long nowMillis) {
    count("drained");
  }

  @Override
  public void receiverEnded(String receiver, String why, long nowMillis) {
    count("receiver ended: " + why);
  }

  @Override
  public void rolledBack(String transaction, long nowMillis) {
    count("rolled back");
  }

  @Override
  public void troubled(String trouble, long nowMillis) {
    count("trouble " + trouble);
  }

  @Override
  public void restarted(long nowMillis) {
    asked.values().forEach(name -> count(name + " in doubt"));
    asked.clear();
    count("restarted");
  }

  @Override
  public void atRest(long nowMillis) {
    count("at rest");
  }
}
