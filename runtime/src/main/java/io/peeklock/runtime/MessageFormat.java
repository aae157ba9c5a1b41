package io.peeklock.runtime;

import io.peeklock.kernel.CopySource;
import java.nio.ByteBuffer;

/** What only the edge that knows the encoding of messages can do with stored bytes. Pure. */
public interface MessageFormat {

  /**
   * Puts newer changes of properties over older ones, name by name.
   *
   * @param older an earlier overlay, from position to limit
   * @param newer what the settlement brought
   */
  byte[] merge(ByteBuffer older, byte[] newer);

  /**
   * A stored message as filters see it.
   *
   * @param beginning of its bytes, at least up to its body; belongs to the answer
   */
  CopySource source(byte[] beginning);
}
