package io.peeklock.simulator;

import io.peeklock.simulator.history.Auditor;
import java.util.List;

/** Who judges the runs of this build. */
final class Auditors {
  private Auditors() {}

  /** A new one for each run. */
  static Auditor ofThisBuild() {
    return new CompositeAuditor(List.of()); // the naive model takes this place
  }
}
