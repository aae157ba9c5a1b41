package io.peeklock.runtime.meter;

/** What is counted for an entity; each only ever grows (S-493 to S-497). */
public enum Count {
  /** Messages that were stored: sent, scheduled, copied to a subscription, or forwarded to it. */
  INCOMING,
  /** Their bytes. */
  INCOMING_BYTES,
  /** Deliveries, each attempt for itself; neither dead letters nor expired ones (S-497). */
  OUTGOING,
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
  /** Messages and wishes that were refused for a reason that lies with the client (S-495). */
  USER_ERRORS,
  /** Settlements among them whose lock was lost. */
  LOCKS_LOST,
  /** Messages that were refused for want of room or space. */
  NO_ROOM
}
