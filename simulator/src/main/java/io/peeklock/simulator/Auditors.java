package io.peeklock.simulator;

import io.peeklock.simulator.history.Auditor;
import io.peeklock.simulator.model.Model;

/** Who judges the runs of this build. */
final class Auditors {
  private Auditors() {}

  /** A new one for each run. */
  static Auditor of(Depth depth) {
    return switch (depth) {
      case SHARD -> new Model();
      case FRAMES -> new Conservation();
    };
  }
}
