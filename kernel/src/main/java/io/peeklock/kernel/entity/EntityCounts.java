package io.peeklock.kernel.entity;

/**
 * What an operator is told about the contents of an entity (S-489).
 *
 * @param active active and deferred ones (S-491, R-26), under a lock or not (S-492); 0 for a topic
 *     (S-490)
 * @param deferred of the active ones, those that were deferred, under a lock or not
 * @param locked of the active ones, those under a lock
 * @param deadLetters in its dead-letter queue
 * @param scheduled whose time is still to come
 * @param transfers on their way to another entity
 * @param transferDeadLetters that could not be moved there
 * @param bytes of all of these, of session states and, for a topic, of its subscriptions (S-056)
 * @param accessedAtMillis when it was last used, or when the broker began to count how long it is
 *     idle; 0 for not since its start, or only created
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

  /** All messages, wherever they stand. */
  public long total() {
    return active + deadLetters + scheduled + transfers + transferDeadLetters;
  }
}
