package io.peeklock.runtime;

/** Learns of events that concern every connection of a shard. Called on the shard's thread. */
public interface ShardListener {

  /** All locks, credit and links of the term are void: drop every connection. */
  void leadershipLost();

  /** An entity is deleted because it was idle (S-312). */
  void idleDeleted(String path);

  /** The shard has ended; nothing more is answered. */
  void ended(Throwable cause);
}
