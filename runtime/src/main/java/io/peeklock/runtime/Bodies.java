package io.peeklock.runtime;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Stored bodies, pinned and readable, in the order they were asked for. Whoever gets it reads and
 * then releases it once; until then their segments stay.
 */
public interface Bodies {

  /** How many. */
  int count();

  /**
   * The buffer that holds a body; read it with absolute gets only, others read it too. For a large
   * body see {@link #large}.
   */
  ByteBuffer buffer(int i);

  /** Where in its buffer a body begins. */
  int offset(int i);

  /**
   * Bytes of a body; for a large one, what {@link LargeBody#length()} says, as far as an int can.
   */
  int length(int i);

  /** The large body at this place, with a pin of its own; null where the body is in a buffer. */
  @Nullable LargeBody large(int i);

  /** Gives the pins back, those of large bodies excepted. Once is enough: again does nothing. */
  void release();

  /** Gives everything back, whoever has it: what was to be done with it has failed. */
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
