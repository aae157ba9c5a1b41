package io.peeklock.kernel.effect;

import io.peeklock.kernel.entity.MessageState;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.fact.DeadLetterCause;
import org.jspecify.annotations.Nullable;

/**
 * Stored messages that go out together, column by column: a delivery, an answer to peek, or
 * deferred messages. The arrays are exactly as long as the burst and must not be changed: facts and
 * grants may share them. Only {@code states} may be longer, and is shared by many bursts.
 *
 * @param sequenceNumbers S-140
 * @param bodyIds where the bytes are
 * @param overlayIds body ids of changed application properties, 0 for none; null when none has any
 * @param sizes bytes of each stored message
 * @param enqueuedAtMillis S-144
 * @param expiresAtMillis S-162, {@link QueueDefinition#FOREVER} for never
 * @param deliveryCounts failed attempts so far
 * @param states active or deferred, under any lock
 * @param causes why it was dead-lettered; null when no message was
 * @param enqueuedNumbers the numbers that they were first given elsewhere, 0 for none; null
 *     when none has any
 * @param deadLetterSources the entity in which each was a dead letter before it was forwarded
 *     (S-197), null for none; null when none was
 * @param lockIds the locks taken for it; null for peek and receive-and-delete
 * @param lockedUntilMillis shard time at which the locks lapse; 0 without locks
 */
public record MessageBurst(
    long[] sequenceNumbers,
    long[] bodyIds,
    long @Nullable [] overlayIds,
    int[] sizes,
    long[] enqueuedAtMillis,
    long[] expiresAtMillis,
    int[] deliveryCounts,
    MessageState[] states,
    DeadLetterCause @Nullable [] causes,
    long @Nullable [] enqueuedNumbers,
    @Nullable String @Nullable [] deadLetterSources,
    long @Nullable [] lockIds,
    long lockedUntilMillis) {

  /** How many messages. */
  public int count() {
    return sequenceNumbers.length;
  }
}
