package io.peeklock.runtime;

/**
 * Bodies that an edge has staged for the journal, in order, not yet part of the log. Created by
 * {@link BodyArena}; handed over with a request, and from then on owned by the shard, which passes
 * them to the journal or releases them.
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

  /** Gives all bodies back, which were not logged. */
  void release();
}
