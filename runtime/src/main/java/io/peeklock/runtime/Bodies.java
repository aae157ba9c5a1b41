package io.peeklock.runtime;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Stored bodies, pinned and readable, in the order of the request. Its owner reads and then
 * releases it; until then the segments of the bodies stay.
 */
public interface Bodies {

  /** How many. */
  int count();

  /**
   * The buffer that holds a body; shared, so read it with absolute gets only. For a large body see
   * {@link #large}.
   */
  ByteBuffer buffer(int i);

  /** Where in its buffer a body begins. */
  int offset(int i);

  /** The bytes of a body; for a large one {@link LargeBody#length()}, at most the largest int. */
  int length(int i);

  /** The large body at this place, with a pin of its own; null where the body is in a buffer. */
  @Nullable LargeBody large(int i);

  /** Gives the pins back, except those of large bodies. A second call does nothing. */
  void release();

  /** Gives back all pins, those of large bodies too, after the work with them failed. */
  default void drop() {
    release();
    for (var i = 0; i < count(); i++) {
      var large = large(i);
      if (large != null) {
        large.release();
      }
    }
  }
}
