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
 * @param texts those properties that it has
 * @param applicationProperties by name, in their order, those that settlements changed and the
 *     reason of a dead letter among them; values are String, Boolean, Long, {@link
 *     java.math.BigInteger}, {@link java.math.BigDecimal}, Float, Double, {@link
 *     java.time.Instant}, {@link java.time.Duration}, UUID or byte[]. What is of another type is
 *     left out
 * @param stored what the broker knows of it
 * @param lock null when it is gone from the queue
 * @param body the bytes that it begins with: all of them when there is no rest. What is no text and
 *     no binary comes as it is encoded
 * @param rest what follows; null when that is nothing. To be read to its end, or closed
 * @param taken to be run once, from any thread: when its receiver has all of it, or will never
 *     have. Until then it counts as a message on its way to a receiver
 */
public record ReceivedMessage(
    Map<TextProperty, String> texts,
    Map<String, Object> applicationProperties,
    Stored stored,
    @Nullable Lock lock,
    byte[] body,
    @Nullable BodyRest rest,
    Runnable taken) {

  /** Makes the maps unchangeable. */
  public ReceivedMessage {
    texts = Map.copyOf(texts);
    applicationProperties = Collections.unmodifiableMap(new LinkedHashMap<>(applicationProperties));
  }

  /** It goes to nobody. */
  public void drop() {
    if (rest != null) {
      rest.close();
    }
    taken.run();
  }

  /**
   * What the broker knows of a message.
   *
   * @param sequenceNumber S-140
   * @param enqueuedNumber the number that it was first given elsewhere, 0 for none
   * @param enqueuedAtMillis S-144
   * @param failedDeliveries attempts before this one
   * @param ttlMillis how long it lives from then on: the smaller of its own and its entity's, or
   *     {@link QueueDefinition#FOREVER}
   * @param dueAtMillis when it was to become active, or {@link SendBurst#AT_ONCE}
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
   * A lock on it.
   *
   * @param token proves that it is held (S-097)
   * @param untilMillis shard time at which it lapses
   */
  public record Lock(UUID token, long untilMillis) {}
}
