package io.peeklock.server.metrics;

import io.peeklock.runtime.meter.Count;

/** What counters are called, without what is the same for all. */
final class Names {
  private Names() {}

  static String of(Count what) {
    return switch (what) {
      case INCOMING -> "messages.incoming";
      case INCOMING_BYTES -> "messages.incoming.bytes";
      case OUTGOING -> "messages.outgoing";
      case COMPLETED -> "messages.completed";
      case ABANDONED -> "messages.abandoned";
      case LOCKS_LAPSED -> "messages.locks.lapsed";
      case DEFERRED -> "messages.deferred";
      case DEAD_LETTERED -> "messages.dead_lettered";
      case EXPIRED -> "messages.expired";
      case FORWARDED -> "messages.forwarded";
      case ACTIVATED -> "messages.activated";
      case CANCELLED -> "messages.cancelled";
      case DELETED -> "messages.deleted";
      case USER_ERRORS -> "errors.user";
      case LOCKS_LOST -> "errors.lock_lost";
      case NO_ROOM -> "errors.no_room";
    };
  }

  static String describe(Count what) {
    return switch (what) {
      case INCOMING -> "Messages that were stored";
      case INCOMING_BYTES -> "Their bytes";
      case OUTGOING -> "Deliveries, each attempt for itself";
      case COMPLETED -> "Messages that were completed, or received and deleted";
      case ABANDONED -> "Messages that a receiver gave back with a count";
      case LOCKS_LAPSED -> "Messages whose lock ran out";
      case DEFERRED -> "Messages that were set aside";
      case DEAD_LETTERED -> "Messages that went to the dead-letter queue";
      case EXPIRED -> "Messages that expired and were dropped";
      case FORWARDED -> "Messages that moved on to where their entity forwards";
      case ACTIVATED -> "Scheduled messages that became active";
      case CANCELLED -> "Scheduled messages that were cancelled";
      case DELETED -> "Messages that were deleted without having been received";
      case USER_ERRORS -> "What was refused for a reason that lies with the client";
      case LOCKS_LOST -> "Settlements whose lock was lost, which are user errors too";
      case NO_ROOM -> "Messages that were refused for want of room";
    };
  }
}
