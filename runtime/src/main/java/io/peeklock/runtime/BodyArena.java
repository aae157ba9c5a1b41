package io.peeklock.runtime;

import java.nio.ByteBuffer;

/**
 * Where one event loop stages the bodies that arrive on its sockets. Not thread-safe: one arena for
 * each event loop. Staged bytes are bounded for all arenas together; {@link #hasRoom()} tells.
 */
public interface BodyArena {

  /** A body above this many bytes must be staged as a large one, in a file of its own. */
  int LARGE_BODY_BYTES = 1 << 20;

  /** Begins a run of bodies; one run at a time is open in an arena. */
  void begin();

  /**
   * Room for the next body.
   *
   * @param maxBytes from 1 to {@link #LARGE_BODY_BYTES}
   * @return a buffer to write into from its position, with at least so many bytes remaining
   */
  ByteBuffer reserve(int maxBytes);

  /**
   * Ends the body that was reserved last; its length is how far the buffer's position moved. A body
   * is in the run from here on, and not before: what is reserved and never ended leaves no trace.
   *
   * @throws IllegalStateException without a reservation
   */
  void commit();

  /** Adds a large body that is complete, as the next one of the run. */
  void commit(LargeBody.Staged large);

  /** Ends the run. When it throws, the run is open as before. */
  StagedBodies end();

  /**
   * Gives up the run, if one is open: everything is as before it began, and large bodies that were
   * added to it are the caller's again.
   */
  void drop();

  /**
   * Begins a body above {@link #LARGE_BODY_BYTES}, outside of runs; many may be open at once.
   *
   * @param maxBytes what the sender may bring at most
   */
  LargeBody.Writer openLarge(long maxBytes);

  /** What large bodies may have staged at most, those of all arenas together, in bytes. */
  long mostLargeBytes();

  /**
   * Whether new bodies may be staged. When false the edge stops reading its sockets until {@link
   * Endpoint#resume()}.
   */
  boolean hasRoom();
}
