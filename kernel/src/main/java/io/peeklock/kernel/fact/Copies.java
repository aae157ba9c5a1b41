package io.peeklock.kernel.fact;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import org.jspecify.annotations.Nullable;

/**
 * Copies for one subscription, with its own sequence numbers that count up from the first.
 *
 * @param messages the index in the fact of the message that each is a copy of, ascending; null for
 *     one copy of each message
 * @param expiresAtMillis of each copy, {@link QueueDefinition#FOREVER} for never; null when none
 *     expires
 * @param sessionIds of each copy, empty also for a copy without one, which so is a dead letter;
 *     null in a subscription without sessions
 * @param causes why a copy goes to the dead-letter queue at once, else {@link
 *     DeadLetterCause#NONE}; null when all are for receivers
 */
public record Copies(
    QueueId subscription,
    long firstSequenceNumber,
    int @Nullable [] messages,
    long @Nullable [] expiresAtMillis,
    String @Nullable [] sessionIds,
    DeadLetterCause @Nullable [] causes) {}
