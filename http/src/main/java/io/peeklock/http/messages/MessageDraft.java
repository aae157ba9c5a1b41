package io.peeklock.http.messages;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.runtime.message.OutgoingMessage;
import io.peeklock.runtime.message.TextProperty;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** A message as far as it is read from a request. */
final class MessageDraft {
  final Map<TextProperty, String> texts = new EnumMap<>(TextProperty.class);
  final Map<String, Object> properties = new LinkedHashMap<>();
  long ttlMillis = QueueDefinition.FOREVER;
  long dueAtMillis = SendBurst.AT_ONCE;
  ByteBuffer body = ByteBuffer.allocate(0);

  /** The message, unless its parts contradict each other. */
  OutgoingMessage message() throws BadRequest {
    var session = texts.get(TextProperty.SESSION_ID);
    var partition = texts.get(TextProperty.PARTITION_KEY);
    if (session != null && partition != null && !session.equals(partition)) {
      throw new BadRequest("'PartitionKey' must equal 'SessionId' when both are set");
    }
    return new OutgoingMessage(texts, ttlMillis, dueAtMillis, properties, body);
  }
}
