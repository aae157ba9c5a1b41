package io.peeklock.simulator.frames;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Conditions of the wire in the words of the broker's table of refusals. Where several refusals
 * have one condition, the sentence tells them apart, as it does for people.
 */
final class Refusals {
  /** A condition, the beginning or a part of the sentence, and the refusal that it means. */
  private record Row(String condition, String sentence, String why) {}

  private static final String NOT_ALLOWED = "amqp:not-allowed";
  private static final String LIMIT = "amqp:resource-limit-exceeded";

  private static final List<Row> ROWS =
      List.of(
          new Row("amqp:not-found", "", "EntityNotFound"),
          new Row("com.microsoft:message-lock-lost", "", "MessageLockLost"),
          new Row("com.microsoft:session-lock-lost", "", "SessionLockLost"),
          new Row("com.microsoft:session-cannot-be-locked", "", "SessionCannotBeLocked"),
          new Row(
              "com.microsoft:message-not-found", "Scheduled messages", "ScheduledMessagesNotFound"),
          new Row("com.microsoft:message-not-found", "", "MessageNotFound"),
          new Row("com.microsoft:entity-disabled", "", "EntityDisabled"),
          new Row("com.microsoft:timeout", "", "Timeout"),
          new Row("com.microsoft:no-matching-subscription", "", "NoMatchingSubscription"),
          new Row("com.microsoft:server-busy", "copies", "TooManyCopies"),
          new Row("com.microsoft:server-busy", "still arriving", "EarlierIdsAreWaiting"),
          new Row("com.microsoft:server-busy", "lead", "NotLeading"),
          new Row("amqp:link:message-size-exceeded", "bytes, and one answer", "AnswerTooLarge"),
          new Row("amqp:link:message-size-exceeded", "copies", "TooManyCopies"),
          new Row("amqp:link:message-size-exceeded", "scheduled", "TooManyScheduledAtOnce"),
          new Row("amqp:transaction:rollback", "", "TransactionRolledBack"),
          new Row(NOT_ALLOWED, "SessionId was not set", "SessionIdMissing"),
          new Row(NOT_ALLOWED, "are forwarded", "MessagesAreForwarded"),
          new Row(NOT_ALLOWED, "dead-lettered again", "AlreadyDeadLettered"),
          new Row(NOT_ALLOWED, "is fixed when", "PropertyFixed"),
          new Row(LIMIT, "maximum entity size", "QuotaExceeded"),
          new Row(LIMIT, "store takes no more", "StoreFull"),
          new Row(LIMIT, "can be locked here", "TooManyLocked"),
          new Row(LIMIT, "of the broker's memory", "MemoryShareExceeded"),
          new Row(LIMIT, "sessions with a state", "TooManySessionStates"),
          new Row(LIMIT, "are allowed", "TooMany"));

  private Refusals() {}

  /** What an error means; the condition itself where it is none of the table. */
  static String why(String condition, String sentence) {
    for (var row : ROWS) {
      if (row.condition().equals(condition) && sentence.contains(row.sentence())) {
        return row.why();
      }
    }
    return condition;
  }

  /** What the error of a detach or of a rejected outcome means. */
  static String why(Wire.@Nullable Described error) {
    return error == null
        ? "Lost"
        : why(String.valueOf(error.field(0)), String.valueOf(error.field(1)));
  }

  /** Why an outcome is no success; null when it is one. */
  static @Nullable String of(Wire.Described outcome) {
    return outcome.code() == Settling.REJECTED && outcome.field(0) instanceof Wire.Described error
        ? why(error)
        : null;
  }
}
