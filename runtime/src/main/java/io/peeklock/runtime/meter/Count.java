package io.peeklock.runtime.meter;

/** What is counted for an entity; counts only grow (S-493 to S-497). */
public enum Count {
  /** Accepted messages: sent, scheduled, or copied to a subscription; duplicates included. */
  INCOMING,
  /** Bytes of messages that clients sent and that were stored. */
  INCOMING_BYTES,
  /** Messages that another entity forwarded to this one (S-300). */
  FORWARDED_HERE,
  /** Incoming messages that were dropped because their id was known (S-283). */
  DUPLICATES,
  /** Deliveries, each attempt counted; neither dead letters nor expired messages (S-497). */
  OUTGOING,
  /** Of the deliveries, first attempts. */
  FIRST_ATTEMPTS,
  /** Second ones. */
  SECOND_ATTEMPTS,
  /** Third to fifth ones. */
  THIRD_TO_FIFTH_ATTEMPTS,
  /** Sixth to tenth ones. */
  SIXTH_TO_TENTH_ATTEMPTS,
  /** Later ones. */
  LATER_ATTEMPTS,
  /** Messages that a receiver completed, or that left by receive-and-delete. */
  COMPLETED,
  /** Messages that a receiver abandoned, with a failed attempt. */
  ABANDONED,
  /** Messages whose lock expired, with a failed attempt. */
  LOCKS_LAPSED,
  /** Messages that were deferred. */
  DEFERRED,
  /** Messages that went to the dead-letter queue, for any reason. */
  DEAD_LETTERED,
  /** Messages that expired and were dropped. */
  EXPIRED,
  /** Messages that were forwarded from this entity. */
  FORWARDED,
  /** Scheduled messages that became active. */
  ACTIVATED,
  /** Scheduled messages that were cancelled. */
  CANCELLED,
  /** Messages that were deleted without having been received. */
  DELETED,
  /** Messages and requests that were refused because of the client (S-495). */
  USER_ERRORS,
  /** User errors that are settlements of a lost lock. */
  LOCKS_LOST,
  /** Messages that were refused for lack of room or space. */
  NO_ROOM,
  /** Receivers that were told that a stored message cannot be read. */
  SERVER_ERRORS
}
