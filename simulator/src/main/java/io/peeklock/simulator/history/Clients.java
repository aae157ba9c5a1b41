package io.peeklock.simulator.history;

import java.util.List;

/** All clients of a broker, who tell an {@link Auditor} what they ask and see. */
public interface Clients {

  /** Whether the broker takes more, and what makes or deletes entities is decided. */
  boolean mayAsk();

  /**
   * Asks, if a client can ask that now.
   *
   * @return whether it was asked
   */
  boolean ask(Operation operation);

  /** Paths of the queues, topics and subscriptions that there are. */
  List<String> entities();

  /** Nothing is under way and no fault at work: every question must have been answered. */
  void rests();

  /**
   * The run ends, at rest: clients leave, and must leave nothing behind at the broker once that has
   * come to rest again.
   *
   * @return whether there was anything to leave
   */
  boolean leave();
}
