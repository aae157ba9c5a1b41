package io.peeklock.kernel.entity;

/**
 * How many messages a queue holds, by state.
 *
 * @param active in state {@link MessageState#ACTIVE}, under a lock or not
 * @param deferred in state {@link MessageState#DEFERRED}, under a lock or not
 * @param locked under a lock, whatever their state
 * @param deadLetters in its dead-letter queue; 0 for a dead-letter queue
 * @param scheduled in state {@link MessageState#SCHEDULED}
 * @param bytes of messages and changed properties in the queue and its dead-letter queue, which
 *     share one quota (S-187); for a dead-letter queue its own
 */
public record QueueCounts(
    long active, long deferred, long locked, long deadLetters, long scheduled, long bytes) {}
