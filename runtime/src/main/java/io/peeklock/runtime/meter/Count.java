package io.peeklock.runtime.meter;

/** What is counted for an entity; each only ever grows (S-493 to S-497). */
public enum Count {
  /** Messages that were taken: sent, scheduled, or copied to a subscription; duplicates too. */
  INCOMING,
  /** Bytes of those that clients sent and that were stored. */
  INCOMING_BYTES,
  /** Messages that came from another entity, which forwards to this one (S-300). */
  FORWARDED_HERE,
  /** Of the incoming ones, those that were dropped because their id was known (S-283). */
  DUPLICATES,
  /** Deliveries, each attempt for itself; neither dead letters nor expired ones (S-497). */
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
  /** Messages that came back with a count because a receiver wanted it. */
  ABANDONED,
  /** Messages that came back with a count because their lock ran out. */
  LOCKS_LAPSED,
  /** Messages that were set aside. */
  DEFERRED,
  /** Messages that went to the dead-letter queue, whatever for. */
  DEAD_LETTERED,
  /** Messages that expired and were dropped. */
  EXPIRED,
  /** Messages that moved on to where their queue forwards. */
  FORWARDED,
  /** Scheduled messages that became active. */
  ACTIVATED,
  /** Scheduled messages that were cancelled. */
  CANCELLED,
  /** Messages that were deleted without having been received. */
  DELETED,
  /** Messages and requests that were refused for a reason that lies with the client (S-495). */
  USER_ERRORS,
  /** Settlements among them whose lock was lost. */
  LOCKS_LOST,
  /** Messages that were refused for want of room or space. */
  NO_ROOM,
  /** Receivers that were told that a stored message cannot be read. */
  SERVER_ERRORS
}
