package io.peeklock.runtime;

/** Told about what concerns everybody connected to a shard. On the shard's thread. */
public interface ShardListener {

  /** All locks, credit and links of the term are void: drop every connection. */
  void leadershipLost();

  /** An entity is being deleted because nobody used it for long (S-312). */
  void idleDeleted(String path);

  /** The shard can go on no more; nothing is answered any longer. */
  void ended(Throwable cause);
}
