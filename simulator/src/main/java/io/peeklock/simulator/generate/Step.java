package io.peeklock.simulator.generate;

import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.world.Fault;

/** One step of a run. */
public sealed interface Step {

  /** Clients ask something. */
  record Request(Operation operation) implements Step {}

  /** The broker's threads take so many turns. */
  record Turns(int most) implements Step {}

  /** Time passes. */
  record Pass(long millis) implements Step {}

  /** Something goes wrong. */
  record Inject(Fault fault) implements Step {}

  /** Faults are over, and the world comes to rest. */
  record Rest() implements Step {}
}
