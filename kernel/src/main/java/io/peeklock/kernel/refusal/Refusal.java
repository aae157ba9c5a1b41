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
   * One more session of the queue is to have a state than can (S-257). Permanent until another
   * state is cleared.
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

  /** Where messages are to be forwarded to is no queue and no topic (S-286). Permanent. */
  record ForwardDestinationNotFound(String path) implements Refusal {}

  /** The status of the entity forbids it (S-422 to S-426, S-508). Permanent until it changes. */
  record EntityDisabled() implements Refusal {}

  /**
   * A property that is fixed at creation was to change (S-067). Permanent.
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

  /** A message has nothing that chooses a partition where duplicates are looked for (S-271). */
  record PartitionKeyMissing() implements Refusal {}

  /** Partitioned entities do not have the operation (S-375). Permanent. */
  record NotOnPartitioned() implements Refusal {}

  /** The subscription has a rule of that name (S-317). Permanent. */
  record RuleAlreadyExists(String name) implements Refusal {}

  /** The subscription has no rule of that name. Permanent. */
  record RuleNotFound(String name) implements Refusal {}

  /** No subscription selects the message, and its topic wants one to (S-055). Permanent. */
  record NoMatchingSubscription() implements Refusal {}

  /**
   * Messages make more copies than can be made in one decision, for a topic that must know of each
   * of them whether somebody selects it (S-055).
   *
   * @param batch whether they are one batch, of which fewer at once are taken; a retry helps a
   *     message that stands for itself
   */
  record TooManyCopies(boolean batch) implements Refusal {}

  /** The entity is full (S-435). Permanent until there is room. */
  record QuotaExceeded(long currentBytes, long maxBytes) implements Refusal {}

  /** An answer would have more bytes than it may. Permanent; fewer messages at a time fit. */
  record AnswerTooLarge(long bytes, long maxBytes) implements Refusal {}

  /**
   * So many more cannot be locked in this queue, as it has most of all locks that there may be.
   * Permanent until some are settled; fewer at a time may fit.
   *
   * @param left how many can
   */
  record TooManyLocked(int left) implements Refusal {}

  /** Nobody receives where messages move on (S-199, S-289). Permanent until they do not. */
  record MessagesAreForwarded(String destination) implements Refusal {}

  /**
   * There are as many as there may be (S-365, S-437, S-440). Permanent until some are deleted.
   *
   * @param what of what, in words
   */
  record TooMany(String what, int most) implements Refusal {}

  /**
   * The profile of the namespace does not have it (S-069, S-284). Permanent.
   *
   * @param feature in words
   */
  record FeatureNotAvailable(String feature) implements Refusal {}

  /** A dead letter cannot be dead-lettered again (S-185). Permanent. */
  record AlreadyDeadLettered() implements Refusal {}

  /**
   * The entity holds so much of the memory that all entities share that what is left is for the
   * others (I-08). Permanent until it holds less, or others do.
   *
   * @param ofBodies whether it is the memory of bodies, or that of whatever else a message has
   * @param heldBytes by the entity, its subscriptions and dead letters included, with what is asked
   * @param mostBytes it may hold now, before it gets more
   */
  record MemoryShareExceeded(boolean ofBodies, long heldBytes, long mostBytes) implements Refusal {}

  /**
   * The store takes no more for now: disk reserve or memory bound reached (I-08). Whatever makes
   * the log grow and frees nothing; permanent until there is room.
   */
  record StoreFull() implements Refusal {}

  /**
   * The log of the namespace is led elsewhere, or nobody leads it yet; nothing was changed (S-507).
   * A retry helps, here once this leads, or where the leader is.
   */
  record NotLeading() implements Refusal {}
}
