package io.peeklock.runtime;

import io.peeklock.kernel.machine.Machine;
import io.peeklock.kernel.snapshot.Snapshot;
import org.jspecify.annotations.Nullable;

/** Hands a part of the state to the checkpoint in every step, whenever the log wants one. */
final class Checkpointing {
  private final Machine machine;
  private final Snapshots snapshots;
  private final Runnable wantStep;
  private @Nullable Snapshot snapshot;
  private Snapshots.@Nullable CheckpointSink sink;

  Checkpointing(Machine machine, Snapshots snapshots, Runnable wantStep) {
    this.machine = machine;
    this.snapshots = snapshots;
    this.wantStep = wantStep;
  }

  /** Hands over one part, and asks for another step while there is more and the sink has room. */
  void step() {
    var pause = new CheckpointStep();
    pause.begin();
    if (handOver()) {
      pause.commit();
    }
  }

  /** Hands over a part, and returns whether there was any. */
  private boolean handOver() {
    var to = sink;
    var from = snapshot;
    if (to == null || from == null) {
      return begin();
    }
    if (to.hasRoom()) {
      var part = from.next();
      if (part.isEmpty()) {
        from.end();
        to.complete();
        forget();
      } else {
        to.add(part);
        wantStep.run();
      }
      return true;
    }
    return false;
  }

  private boolean begin() {
    sink = snapshots.beginCheckpoint(wantStep);
    if (sink == null) {
      return false;
    }
    snapshot = machine.beginSnapshot();
    wantStep.run();
    return true;
  }

  /** Abandons the checkpoint, as the state that it shows is void. */
  void abandon() {
    if (sink != null) {
      sink.abandon();
    }
    forget();
  }

  private void forget() {
    sink = null;
    snapshot = null;
  }
}
