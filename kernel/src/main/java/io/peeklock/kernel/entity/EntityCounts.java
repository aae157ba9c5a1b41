package io.peeklock.kernel.entity;

/**
 * The contents of an entity as an operator sees them (S-489).
 *
 * @param active active and deferred ones (S-491, R-26), under a lock or not (S-492); 0 for a topic
 *     (S-490)
 * @param deferred of the active ones, those that were deferred, under a lock or not
 * @param locked of the active ones, those under a lock
 * @param deadLetters in its dead-letter queue
 * @param scheduled messages that are not due yet
 * @param transfers messages sent via this entity that still wait for their destination
 * @param transferDeadLetters messages that could not be moved to their destination
 * @param bytes of all of these, of session states and, for a topic, of its subscriptions (S-056)
 * @param accessedAtMillis when it was last used, or when the broker began to count its idle time; 0
 *     when it was not used since the start, or only created
 */
public record EntityCounts(
    long active,
    long deferred,
    long locked,
    long deadLetters,
    long scheduled,
    long transfers,
    long transferDeadLetters,
    long bytes,
    long accessedAtMillis) {

  /** All messages, in whatever state. */
  public long total() {
    return active + deadLetters + scheduled + transfers + transferDeadLetters;
  }
}
