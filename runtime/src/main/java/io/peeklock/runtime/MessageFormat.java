package io.peeklock.runtime;

import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.request.MessageView;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

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
   * @param overlay its changed properties; null for none
   * @param cause why it is a dead letter, which its properties then tell
   */
  MessageView source(byte[] beginning, byte @Nullable [] overlay, DeadLetterCause cause);
}
