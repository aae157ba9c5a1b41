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
 * @param accessedAtMillis when messages or rules were last asked for or brought, since the start: 0
 *     for never, also where it was only created or changed; a subscription that is made is access
 *     to its topic and to itself, and has the time of its creation at least; later than any change
 *     before it
 * @param sqlFilters of all subscriptions of a topic, with those that select all or nothing; else 0
 * @param correlationFilters of all subscriptions of a topic; else 0
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
    long accessedAtMillis,
    int sqlFilters,
    int correlationFilters) {

  /** All messages, in whatever state. */
  public long total() {
    return active + deadLetters + scheduled + transfers + transferDeadLetters;
  }
}
