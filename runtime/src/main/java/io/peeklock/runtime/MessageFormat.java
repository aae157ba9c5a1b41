package io.peeklock.runtime;

import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.request.MessageView;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Operations on stored bytes that need the encoding of messages, so the edge implements them. Pure.
 */
public interface MessageFormat {

  /**
   * Puts newer changes of properties over older ones, name by name.
   *
   * @param older an earlier overlay, from position to limit
   * @param newer the properties of the settlement
   */
  byte[] merge(ByteBuffer older, byte[] newer);

  /**
   * A stored message as filters see it.
   *
   * @param beginning the beginning of its bytes, at least up to its body; the view keeps the array
   * @param overlay its changed properties; null for none
   * @param cause why it is a dead letter, which its properties then show
   */
  MessageView source(byte[] beginning, byte @Nullable [] overlay, DeadLetterCause cause);
}
