package io.peeklock.runtime;

import java.nio.ByteBuffer;

/**
 * The place where one event loop stages the bodies that arrive on its sockets. Not thread-safe: one
 * arena for each event loop. Staged bytes are limited for all arenas together, see {@link
 * #hasRoom()}.
 */
public interface BodyArena {

  /** A body above this many bytes must be staged as a large one, in a file of its own. */
  int LARGE_BODY_BYTES = 1 << 20;

  /** Begins a run of bodies; an arena has one open run at a time. */
  void begin();

  /**
   * Room for the next body.
   *
   * @param maxBytes from 1 to {@link #LARGE_BODY_BYTES}
   * @return a buffer to write into from its position, with at least {@code maxBytes} remaining
   */
  ByteBuffer reserve(int maxBytes);

  /**
   * Ends the body that was reserved last; its length is how far the buffer's position moved. Only
   * then is the body in the run: a reservation that is never committed leaves no trace.
   *
   * @throws IllegalStateException without a reservation
   */
  void commit();

  /** Adds a large body that is complete, as the next one of the run. */
  void commit(LargeBody.Staged large);

  /** Ends the run and hands it out. If it throws, the run stays open. */
  StagedBodies end();

  /**
   * Drops the open run, if there is one; large bodies that were added to it belong to the caller
   * again.
   */
  void drop();

  /**
   * Begins a body above {@link #LARGE_BODY_BYTES}, outside of runs; many may be open at once.
   *
   * @param maxBytes the most that the sender may bring
   */
  LargeBody.Writer openLarge(long maxBytes);

  /** The most bytes that large bodies may have staged, for all arenas together. */
  long mostLargeBytes();

  /**
   * Whether new bodies may be staged. When false the edge stops reading its sockets until {@link
   * Endpoint#resume()}.
   */
  boolean hasRoom();
}
