package io.peeklock.runtime;

import java.nio.ByteBuffer;

/**
 * Merges changed application properties, which only the edge that knows their encoding can.
 * Pure.
 */
@FunctionalInterface
public interface OverlayMerge {

  /**
   * Puts newer changes over older ones, name by name.
   *
   * @param older an earlier overlay, from position to limit
   * @param newer what the settlement brought
   */
  byte[] merge(ByteBuffer older, byte[] newer);
}
