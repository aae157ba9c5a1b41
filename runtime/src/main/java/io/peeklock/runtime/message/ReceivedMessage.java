package io.peeklock.runtime.message;

import io.peeklock.kernel.entity.MessageState;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.request.SendBurst;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message as its receiver gets it.
 *
 * @param texts the text properties that it has
 * @param applicationProperties by name, in their order, including those that settlements changed
 *     and the reason of a dead letter; values are String, Boolean, Long, {@link
 *     java.math.BigInteger}, {@link java.math.BigDecimal}, Float, Double, {@link
 *     java.time.Instant}, {@link java.time.Duration}, UUID or byte[]. Values of other types are
 *     left out
 * @param stored its broker properties
 * @param lock null when it has left the queue
 * @param body the first bytes of the body: all of them when there is no rest. A body that is
 *     neither text nor binary comes as it is encoded
 * @param rest the rest of the body; null for none. Must be read to its end, or closed
 * @param taken must be run once, from any thread, when its receiver has all of it or will never
 *     have it. Until then its bytes count as in flight
 */
public record ReceivedMessage(
    Map<TextProperty, String> texts,
    Map<String, Object> applicationProperties,
    Stored stored,
    @Nullable Lock lock,
    byte[] body,
    @Nullable BodyRest rest,
    Runnable taken) {

  /** Creates a message with unmodifiable maps. */
  public ReceivedMessage {
    texts = Map.copyOf(texts);
    applicationProperties = Collections.unmodifiableMap(new LinkedHashMap<>(applicationProperties));
  }

  /** Drops the message, which reaches no receiver. */
  public void drop() {
    if (rest != null) {
      rest.close();
    }
    taken.run();
  }

  /**
   * The broker properties of a message.
   *
   * @param sequenceNumber S-140
   * @param enqueuedNumber the number that it was first given elsewhere, 0 for none
   * @param enqueuedAtMillis S-144
   * @param failedDeliveries attempts before this one
   * @param ttlMillis its time to live from then on: the smaller of its own and its entity's, or
   *     {@link QueueDefinition#FOREVER}
   * @param dueAtMillis when it was scheduled for, or {@link SendBurst#AT_ONCE}
   * @param state active or deferred
   * @param deadLetterSource where it was a dead letter before it was forwarded (S-197)
   */
  public record Stored(
      long sequenceNumber,
      long enqueuedNumber,
      long enqueuedAtMillis,
      int failedDeliveries,
      long ttlMillis,
      long dueAtMillis,
      MessageState state,
      @Nullable String deadLetterSource) {}

  /**
   * The lock on a message.
   *
   * @param token proves that it is held (S-097)
   * @param untilMillis shard time at which it lapses
   */
  public record Lock(UUID token, long untilMillis) {}
}
