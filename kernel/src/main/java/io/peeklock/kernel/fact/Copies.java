package io.peeklock.kernel.fact;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import org.jspecify.annotations.Nullable;

/**
 * Copies for one subscription, with numbers of its own that count up from the first.
 *
 * @param messages of which message of the fact that has them each is a copy, ascending; null for
 *     one of each
 * @param expiresAtMillis of each copy, {@link QueueDefinition#FOREVER} for never; null when none
 *     expires
 * @param sessionIds of each copy, empty for one that has none and so is a dead letter; null in a
 *     subscription without sessions
 * @param causes of copies that go to the dead-letter queue at once, else {@link
 *     DeadLetterCause#NONE}; null when all are for receivers
 */
public record Copies(
    QueueId subscription,
    long firstSequenceNumber,
    int @Nullable [] messages,
    long @Nullable [] expiresAtMillis,
    String @Nullable [] sessionIds,
    DeadLetterCause @Nullable [] causes) {}
