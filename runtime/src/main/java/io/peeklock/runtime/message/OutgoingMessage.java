package io.peeklock.runtime.message;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.request.SendBurst;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A message to be sent.
 *
 * @param texts the text properties that it has
 * @param ttlMillis its time to live, from 1, or {@link QueueDefinition#FOREVER}
 * @param dueAtMillis when it becomes active, in UTC milliseconds, or {@link SendBurst#AT_ONCE}
 * @param applicationProperties by name, in their order; values are String, Boolean, the boxed
 *     integers and floating numbers, {@link java.time.Instant}, {@link java.util.UUID} or byte[]
 * @param body its bytes, from position to limit; not to be changed before the send is answered
 */
public record OutgoingMessage(
    Map<TextProperty, String> texts,
    long ttlMillis,
    long dueAtMillis,
    Map<String, Object> applicationProperties,
    ByteBuffer body) {

  /** Creates a message with copies of the maps. */
  public OutgoingMessage {
    texts = Map.copyOf(texts);
    applicationProperties = Collections.unmodifiableMap(new LinkedHashMap<>(applicationProperties));
    if (ttlMillis < 1 || dueAtMillis < 0) {
      throw new IllegalArgumentException("a message lives at least a millisecond, and after 1970");
    }
  }

  /** A message with only a body. */
  public static OutgoingMessage of(ByteBuffer body) {
    return new OutgoingMessage(
        Map.of(), QueueDefinition.FOREVER, SendBurst.AT_ONCE, Map.of(), body);
  }
}
