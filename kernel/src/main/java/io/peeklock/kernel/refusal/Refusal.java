package io.peeklock.kernel.refusal;

/**
 * Why a request was not granted: a value that the client is told. {@link RefusalTable} says of each
 * what kind it is and what people read; each edge has its protocol's condition for the kind
 * (S-007).
 */
public sealed interface Refusal {

  /** The token is unknown, lapsed, or was used before (S-502). Permanent. */
  record MessageLockLost() implements Refusal {}

  /**
   * A number is unknown, locked, or not deferred (S-505). Permanent.
   *
   * @param sequenceNumber the first such number
   */
  record MessageNotFound(long sequenceNumber) implements Refusal {}

  /** Scheduled messages are unknown, active by now, or cancelled (S-154). Permanent. */
  record ScheduledMessagesNotFound(long[] sequenceNumbers) implements Refusal {}

  /** The session is not held, or not by this client (S-251, S-258, R-31). Permanent. */
  record SessionLockLost() implements Refusal {}

  /** Somebody else holds the session (S-237). A retry helps once the lock ended. */
  record SessionCannotBeLocked(String sessionId) implements Refusal {}

  /**
   * The queue has as many sessions with a state as it may (S-257). Permanent until another state is
   * cleared.
   */
  record TooManySessionStates(int most) implements Refusal {}

  /** Nothing came while the client waited (S-239). A retry may help. */
  record Timeout() implements Refusal {}

  /** A message without session id came to a queue with sessions (S-232). Permanent. */
  record SessionIdMissing() implements Refusal {}

  /** The queue does not exist, or no longer (S-062). Permanent. */
  record EntityNotFound() implements Refusal {}

  /**
   * A different entity has the name (S-061). Permanent.
   *
   * @param difference which property differs, and how, in words
   */
  record EntityAlreadyExists(String path, String difference) implements Refusal {}

  /** The destination to forward to is neither a queue nor a topic (S-286). Permanent. */
  record ForwardDestinationNotFound(String path) implements Refusal {}

  /** The status of the entity forbids it (S-422 to S-426, S-508). Permanent until it changes. */
  record EntityDisabled() implements Refusal {}

  /**
   * The request would change a property that is fixed at creation (S-067). Permanent.
   *
   * @param property its name
   */
  record PropertyFixed(String property) implements Refusal {}

  /** A message has a session id and another partition key (S-370). Permanent. */
  record PartitionKeyContradicts() implements Refusal {}

  /**
   * Messages of one batch (S-373) or transaction (S-374) have different session ids or partition
   * keys. Permanent.
   */
  record PartitionKeysDiffer() implements Refusal {}

  /**
   * A message has no partition key, in a partitioned entity that detects duplicates (S-271).
   * Permanent.
   */
  record PartitionKeyMissing() implements Refusal {}

  /** Partitioned entities do not support the operation (S-375). Permanent. */
  record NotOnPartitioned() implements Refusal {}

  /** The subscription has a rule of that name (S-317). Permanent. */
  record RuleAlreadyExists(String name) implements Refusal {}

  /** The subscription has no rule of that name. Permanent. */
  record RuleNotFound(String name) implements Refusal {}

  /** No subscription selects the message, and its topic wants one to (S-055). Permanent. */
  record NoMatchingSubscription() implements Refusal {}

  /**
   * The messages need more copies than one decision can make, and the topic must know for each at
   * once whether a subscription selects it (S-055).
   *
   * @param batch whether they are one batch: then fewer at once are accepted; a retry helps a
   *     single message
   */
  record TooManyCopies(boolean batch) implements Refusal {}

  /**
   * The message would overtake others that wait to arrive, and may have the id of one of them
   * (S-266). A retry helps.
   */
  record EarlierIdsAreWaiting() implements Refusal {}

  /**
   * A batch has scheduled messages, and more messages than may be looked for, each, among
   * remembered ids or among sessions. Permanent; fewer in one batch are accepted.
   *
   * @param most how many are
   */
  record TooManyScheduledAtOnce(int most) implements Refusal {}

  /** The entity is full (S-435). Permanent until there is room. */
  record QuotaExceeded(long currentBytes, long maxBytes) implements Refusal {}

  /** The answer would exceed its limit in bytes. Permanent; fewer messages at a time fit. */
  record AnswerTooLarge(long bytes, long maxBytes) implements Refusal {}

  /**
   * The request needs more locks than the queue may still take of the shard's lock table. Permanent
   * until some are settled; fewer at a time may fit.
   *
   * @param left how many more the queue can lock
   */
  record TooManyLocked(int left) implements Refusal {}

  /**
   * The queue forwards its messages, so nobody receives from it (S-199, S-289). Permanent until
   * forwarding ends.
   */
  record MessagesAreForwarded(String destination) implements Refusal {}

  /**
   * A limit on the number of things is reached (S-365, S-437, S-440). Permanent until some are
   * deleted.
   *
   * @param what the things, in words
   */
  record TooMany(String what, int most) implements Refusal {}

  /**
   * The profile of the namespace lacks the feature (S-069, S-284). Permanent.
   *
   * @param feature in words
   */
  record FeatureNotAvailable(String feature) implements Refusal {}

  /** A dead letter cannot be dead-lettered again (S-185). Permanent. */
  record AlreadyDeadLettered() implements Refusal {}

  /**
   * The entity holds its share of the memory that all entities share (I-08). Permanent until it, or
   * others, hold less.
   *
   * @param ofBodies whether the memory for bodies is meant, or the heap for everything else about
   *     messages
   * @param heldBytes by the entity, its subscriptions and dead letters included, with what is asked
   * @param mostBytes the most that it may hold now
   */
  record MemoryShareExceeded(boolean ofBodies, long heldBytes, long mostBytes) implements Refusal {}

  /**
   * The store is full: the disk reserve or the memory bound is reached (I-08). Refuses every
   * request that makes the log grow and frees nothing. Permanent until there is room.
   */
  record StoreFull() implements Refusal {}

  /**
   * The log of the namespace is led elsewhere, or nobody leads it yet; nothing was changed (S-507).
   * A retry helps, here once this leads, or where the leader is.
   */
  record NotLeading() implements Refusal {}
}
