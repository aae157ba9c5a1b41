package io.peeklock.simulator;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Auditor;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.SeenMessage;
import io.peeklock.simulator.history.Violation;
import java.util.List;

/** Holds that nobody may ever be given anything, to be wrong. */
final class NoDeliveries implements Auditor {
  @Override
  public void asked(long id, Operation operation, long nowMillis) {}

  @Override
  public void answered(long id, Answer answer, long nowMillis) {}

  @Override
  public void inDoubt(long id, long nowMillis) {}

  @Override
  public void delivered(String receiver, List<SeenMessage> messages, long nowMillis) {
    throw new Violation("S-000", "something was delivered");
  }

  @Override
  public void drained(String receiver, long nowMillis) {}

  @Override
  public void receiverEnded(String receiver, String why, long nowMillis) {}

  @Override
  public void restarted(long nowMillis) {}

  @Override
  public void atRest(long nowMillis) {}
}
