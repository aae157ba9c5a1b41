package io.peeklock.amqp.engine.link;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The edge's answer to an attach that it accepts. All other fields are echoed as they came: source
 * and target byte for byte, settle modes including null. A missing source or target address is
 * filled with the link's name (amqp.md 3.3).
 *
 * @param maxMessageSize bytes, to be read as unsigned; must not be 0 for client senders: Java takes
 *     0 as "nothing fits" (T-17)
 * @param properties link properties under symbol keys; written as a map even when empty
 * @param filter replaces {@code source.filter} when not null: keys should be {@code Symbol},
 *     however they came; values in the Java types of {@code AmqpValues}, a described one described
 *     again
 */
public record AttachReply(
    long maxMessageSize,
    Map<String, ? extends @Nullable Object> properties,
    @Nullable Map<? extends Object, ? extends @Nullable Object> filter) {
  /** No properties, and the filter as it came. */
  public static AttachReply ofMaxMessageSize(long maxMessageSize) {
    return new AttachReply(maxMessageSize, Map.of(), null);
  }

  public AttachReply withProperties(Map<String, ? extends @Nullable Object> newProperties) {
    return new AttachReply(maxMessageSize, newProperties, filter);
  }

  public AttachReply withFilter(Map<? extends Object, ? extends @Nullable Object> newFilter) {
    return new AttachReply(maxMessageSize, properties, newFilter);
  }
}
