package io.peeklock.cli;

import java.util.Base64;
import org.apache.qpid.protonj2.client.AdvancedMessage;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.exceptions.ClientException;

/** Messages as lines of text, for people. */
final class MessageText {
  private MessageText() {}

  /** The body: text as it is, other bytes in base64, other values as their text form. */
  static String body(Message<?> message) throws ClientException {
    Object body = message.body();
    if (body instanceof byte[] bytes) {
      var text = MessageJson.utf8(bytes);
      return text == null ? Base64.getEncoder().encodeToString(bytes) : text;
    }
    return body == null ? "" : body.toString();
  }

  /**
   * Sequence number, state, delivery count and body, parted by tabs; one line, whatever it holds.
   */
  static String line(AdvancedMessage<?> message) throws ClientException {
    return MessageJson.sequenceNumber(message)
        + "\t"
        + MessageJson.state(message)
        + "\t"
        + message.deliveryCount()
        + "\t"
        + Printed.oneLine(body(message));
  }
}
