package io.peeklock.amqp.message;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.codec.AmqpReader;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.FormatCode;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Message annotations of a client: which of them are kept. Those that only the broker may say are
 * dropped, as an application that sends a received message again brings them along (S-077).
 */
final class AnnotationFilter extends AnnotationMap {
  private static final byte[] PARTITION_KEY = ascii("x-opt-partition-key");
  private static final byte[] SCHEDULED = ascii("x-opt-scheduled-enqueue-time");
  private static final byte[][] OURS = {
    ascii("x-opt-sequence-number"),
    ascii("x-opt-enqueued-time"),
    ascii("x-opt-locked-until"),
    ascii("x-opt-enqueue-sequence-number"),
    ascii("x-opt-message-state"),
    ascii("x-opt-deadletter-source"),
    ascii("x-opt-lock-token"),
    ascii("x-opt-partition-id"),
  };
  private static final int MAX_KEY_CHARS = 128;

  private @Nullable String partitionKey;
  private boolean noTextForKey;
  private long scheduledAtMillis;

  AnnotationFilter() {
    super(Descriptor.MESSAGE_ANNOTATIONS, OURS);
  }

  @Override
  void clear() {
    super.clear();
    partitionKey = null;
    noTextForKey = false;
    scheduledAtMillis = 0;
  }

  @Override
  void readValue(ByteBuf buffer, AmqpReader map, int key, int keyLength) {
    var code = map.peekCode();
    if (code == FormatCode.TIMESTAMP && equals(buffer, key, keyLength, SCHEDULED)) {
      scheduledAtMillis = map.readTimestamp();
    } else if (FormatCode.isText(code) && equals(buffer, key, keyLength, PARTITION_KEY)) {
      var length = map.readContent();
      partitionKey = buffer.toString(map.contentOffset(), length, StandardCharsets.UTF_8);
    } else {
      noTextForKey |= code != FormatCode.NULL && equals(buffer, key, keyLength, PARTITION_KEY);
      map.skip();
    }
  }

  boolean partitionKeyIsNoText() {
    return noTextForKey;
  }

  boolean partitionKeyIsTooLong() {
    return partitionKey != null && partitionKey.length() > MAX_KEY_CHARS;
  }

  /** As it was sent; null without one. */
  @Nullable String partitionKey() {
    return partitionKey;
  }

  /** When the sender wants it enqueued, 0 for at once. */
  long scheduledAtMillis() {
    return scheduledAtMillis;
  }
}
