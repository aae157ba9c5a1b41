package io.peeklock.simulator;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Auditor;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.SeenMessage;
import java.util.List;
import java.util.TreeSet;

/** Judges next to nothing: each answer is to a question, and once. */
final class CountingAuditor implements Auditor {
  private final TreeSet<Long> open = new TreeSet<>();
  private long delivered;
  private long rests;

  long delivered() {
    return delivered;
  }

  long rests() {
    return rests;
  }

  @Override
  public void asked(long id, Operation operation, long nowMillis) {
    open.add(id);
  }

  @Override
  public void answered(long id, Answer answer, long nowMillis) {
    if (!open.remove(id)) {
      throw new AssertionError("an answer that nobody waits for: " + id + " " + answer);
    }
  }

  @Override
  public void inDoubt(long id, long nowMillis) {
    open.remove(id);
  }

  @Override
  public void delivered(String receiver, List<SeenMessage> messages, long nowMillis) {
    delivered += messages.size();
  }

  @Override
  public void restarted(long nowMillis) {
    open.clear();
  }

  @Override
  public void atRest(long nowMillis) {
    rests++;
  }
}
