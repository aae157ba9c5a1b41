package io.peeklock.runtime;

import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.Machine;
import java.util.List;

/** Applies a durable log silently: without decisions or effects. */
public final class Replayer implements Log.Replay {
  private static final int FORGET_EVERY = 1_024;

  private final Machine machine;
  private final BodyStorage bodies;
  private long lastIndex = -1;
  private int batches;

  /** Applies to a machine, and makes the storage forget the bodies that turn out to be dead. */
  public Replayer(Machine machine, BodyStorage bodies) {
    this.machine = machine;
    this.bodies = bodies;
  }

  @Override
  public void restored(long index, List<Fact> part) {
    for (var fact : part) {
      machine.apply(index, fact);
    }
    lastIndex = index;
  }

  @Override
  public void batch(long index, long predecessor, long timeMillis, List<Fact> facts) {
    if (lastIndex >= 0 && predecessor != lastIndex) {
      return; // decided on a batch that never became part of the log
    }
    for (var fact : facts) {
      machine.apply(index, fact);
    }
    lastIndex = index;
    batches++;
    if (batches % FORGET_EVERY == 0) {
      releaseDeadBodies();
    }
  }

  @Override
  public void ended() {
    releaseDeadBodies();
  }

  private void releaseDeadBodies() {
    var dead = machine.takeDeadBodies();
    if (dead.length > 0) {
      bodies.forget(dead);
    }
  }
}
