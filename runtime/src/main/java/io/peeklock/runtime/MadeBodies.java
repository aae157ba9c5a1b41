package io.peeklock.runtime;

import io.peeklock.runtime.thread.ShardThread;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Stages the bodies that do not come from a client's send: changed properties. */
@ShardThread
final class MadeBodies {
  private final BodyArena arena;

  MadeBodies(BodyArena arena) {
    this.arena = arena;
  }

  /** The staged bodies that go to the log with a request; null for none. */
  @Nullable StagedBodies staged(Submission submission) {
    var overlay = submission.overlay();
    return overlay == null ? submission.bodies() : stage(List.of(overlay));
  }

  /** Stages bodies in this order. */
  StagedBodies stage(List<byte[]> made) {
    arena.begin();
    for (var body : made) {
      arena.reserve(Math.max(1, body.length)).put(body);
      arena.commit();
    }
    return arena.end();
  }
}
