package io.peeklock.runtime;

import io.peeklock.kernel.machine.Machine;
import io.peeklock.kernel.snapshot.Snapshot;
import org.jspecify.annotations.Nullable;

/** Hands the state over a little in every step, whenever a snapshot is wanted. */
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

  /** One part; asks for another step while more is to do and there is room for it. */
  void step() {
    var pause = new CheckpointStep();
    pause.begin();
    if (handOver()) {
      pause.commit();
    }
  }

  /** Whether there was anything to do. */
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

  /** The state is void, and with it what was written of it. */
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
