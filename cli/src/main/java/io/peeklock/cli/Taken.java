package io.peeklock.cli;

import org.apache.qpid.protonj2.client.AdvancedMessage;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.exceptions.ClientException;

/**
 * A message that has come.
 *
 * @param delivery by which it is settled
 * @param bytes the size of it, encoded
 */
record Taken(Delivery delivery, AdvancedMessage<?> message, int bytes) {
  private static final AdvancedMessage<?> NONE = none();

  private static AdvancedMessage<?> none() {
    try {
      return Message.create().toAdvancedMessage();
    } catch (ClientException impossible) {
      throw new IllegalStateException("an empty message can be made", impossible);
    }
  }

  /** The same to settle, which keeps no message in memory. */
  Taken withoutMessage() {
    return new Taken(delivery, NONE, 0);
  }
}
