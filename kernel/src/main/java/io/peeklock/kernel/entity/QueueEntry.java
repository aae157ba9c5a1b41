package io.peeklock.kernel.entity;

/**
 * A queue of a shard, with its dead-letter queue, which it always has (S-181, R-12).
 *
 * @param queue its number
 * @param deadLetterQueue the number of its dead-letter queue
 * @param definition as it was created with or, since then, updated to
 * @param createdAtMillis shard time of its creation
 * @param updatedAtMillis shard time of the last update, or of its creation
 */
public record QueueEntry(
    QueueId queue,
    QueueId deadLetterQueue,
    QueueDefinition definition,
    long createdAtMillis,
    long updatedAtMillis) {}
