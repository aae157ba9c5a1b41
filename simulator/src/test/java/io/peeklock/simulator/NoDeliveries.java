package io.peeklock.simulator;

import io.peeklock.simulator.history.Auditor;
import io.peeklock.simulator.history.SeenMessage;
import io.peeklock.simulator.history.Violation;
import java.util.List;

/** Holds that nobody may ever be given anything, to be wrong. */
final class NoDeliveries implements Auditor {
  @Override
  public void delivered(String receiver, List<SeenMessage> messages, long nowMillis) {
    throw new Violation("S-000", "something was delivered");
  }
}
