package io.peeklock.simulator.client;

import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.request.MessageView;
import io.peeklock.runtime.MessageFormat;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the broker's stages do with messages: in place of the real edge's AMQP. */
public final class SimMessageFormat implements MessageFormat {
  static final String REASON = "DeadLetterReason";
  static final String DESCRIPTION = "DeadLetterErrorDescription";

  @Override
  public byte[] merge(ByteBuffer older, byte[] newer) {
    var before = new byte[older.remaining()];
    older.get(before);
    return merge(before, newer);
  }

  static byte[] merge(byte[] older, byte[] newer) {
    var merged = PropertyText.parse(older);
    merged.putAll(PropertyText.parse(newer));
    return PropertyText.bytes(merged);
  }

  @Override
  public MessageView source(byte[] beginning, byte @Nullable [] overlay, DeadLetterCause cause) {
    return new SimMessageView(SimMessage.parse(beginning), changes(overlay, cause));
  }

  /** What lies over a message's properties: changed ones, and why it is a dead letter. */
  static Map<String, @Nullable Object> changes(byte @Nullable [] overlay, DeadLetterCause cause) {
    var changes =
        new TreeMap<String, @Nullable Object>(
            overlay == null ? Map.of() : PropertyText.parse(overlay));
    var reason = reason(cause);
    if (reason != null) {
      changes.put(REASON, reason);
    }
    return changes;
  }

  /** The words of the real edge, for causes of the broker's own. */
  private static @Nullable String reason(DeadLetterCause cause) {
    return switch (cause) {
      case NONE, RECEIVER, RULE_FAILED -> null;
      case MAX_DELIVERY_COUNT_EXCEEDED -> "MaxDeliveryCountExceeded";
      case TTL_EXPIRED -> "TTLExpiredException";
      case HEADER_SIZE_EXCEEDED -> "HeaderSizeExceeded";
      case SESSION_ID_MISSING -> "Session id is null.";
      case HOP_LIMIT_EXCEEDED -> "MaxTransferHopCountExceeded";
      case FORWARDING_FAILED -> "ForwardingFailed";
    };
  }
}
