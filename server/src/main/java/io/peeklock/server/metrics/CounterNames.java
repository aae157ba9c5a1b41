package io.peeklock.server.metrics;

import io.micrometer.core.instrument.Tags;
import io.peeklock.runtime.meter.Count;

/** What counters are called, without what is the same for all. */
final class CounterNames {
  private CounterNames() {}

  static String of(Count what) {
    return switch (what) {
      case INCOMING -> "messages.incoming";
      case INCOMING_BYTES -> "messages.incoming.bytes";
      case FORWARDED_HERE -> "messages.forwarded_here";
      case DUPLICATES -> "messages.duplicates";
      case OUTGOING -> "messages.outgoing";
      case FIRST_ATTEMPTS,
          SECOND_ATTEMPTS,
          THIRD_TO_FIFTH_ATTEMPTS,
          SIXTH_TO_TENTH_ATTEMPTS,
          LATER_ATTEMPTS ->
          "messages.attempts";
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
      case SERVER_ERRORS -> "errors.server";
    };
  }

  /** What tells counters of one name apart. */
  static Tags tags(Count what) {
    return switch (what) {
      case FIRST_ATTEMPTS -> Tags.of("attempt", "1");
      case SECOND_ATTEMPTS -> Tags.of("attempt", "2");
      case THIRD_TO_FIFTH_ATTEMPTS -> Tags.of("attempt", "3-5");
      case SIXTH_TO_TENTH_ATTEMPTS -> Tags.of("attempt", "6-10");
      case LATER_ATTEMPTS -> Tags.of("attempt", "over 10");
      default -> Tags.empty();
    };
  }

  static String describe(Count what) {
    return switch (what) {
      case INCOMING -> "Messages that were taken";
      case INCOMING_BYTES -> "Bytes of those that clients sent and that were stored";
      case FORWARDED_HERE -> "Messages that came from an entity which forwards";
      case DUPLICATES -> "Incoming messages that were dropped because their id was known";
      case OUTGOING -> "Deliveries, each attempt for itself";
      case FIRST_ATTEMPTS,
          SECOND_ATTEMPTS,
          THIRD_TO_FIFTH_ATTEMPTS,
          SIXTH_TO_TENTH_ATTEMPTS,
          LATER_ATTEMPTS ->
          "Deliveries by the number of the attempt";
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
      case SERVER_ERRORS -> "Receivers that were told that a stored message cannot be read";
    };
  }
}
