package io.peeklock.simulator.world;

import io.peeklock.runtime.Shard;

/** Whoever lives outside of the broker's process. */
public interface WorldListener {

  /** Somebody in the process did something; nobody of the broker is on the stack. */
  void turned();

  /** The process is gone, and another one has begun. */
  void restarted(Shard shard);
}
