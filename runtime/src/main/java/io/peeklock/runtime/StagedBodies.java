package io.peeklock.runtime;

/**
 * Bodies that an edge has written where the journal will find them, in order, not yet part of the
 * log. Made by {@link BodyArena}; handed over with a request and from then on the shard's, which
 * passes it to the journal or releases it.
 */
public interface StagedBodies {

  /** How many bodies. */
  int count();

  /** Sum of the bytes of all bodies. */
  long bytes();

  /**
   * Drops the bodies that a decision did not keep.
   *
   * @param kept one entry per body
   */
  void keepOnly(boolean[] kept);

  /** Gives everything back; nothing of it was logged. */
  void release();
}
