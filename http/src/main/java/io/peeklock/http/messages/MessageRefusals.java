package io.peeklock.http.messages;

import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.refusal.RefusalKind;
import io.peeklock.kernel.refusal.RefusalTable;
import io.peeklock.runtime.message.Answer;
import org.jspecify.annotations.Nullable;

/**
 * Kinds of refusals as statuses of this API, and what it words otherwise (runtime-http.md 3, 7, 9).
 */
final class MessageRefusals {
  private MessageRefusals() {}

  /**
   * How a refusal is told.
   *
   * @param status the code
   * @param detail a sentence without a full stop
   */
  record Shape(int status, String detail) {}

  private static final String SESSION =
      "Messages of sessions are received and settled over AMQP only";

  static Shape of(Refusal refusal, String authority, String entity) {
    var row = RefusalTable.of(refusal, entity);
    var own = ownSentence(refusal, authority, entity);
    var subCode = subCode(row.kind());
    return new Shape(
        status(row.kind()),
        (subCode == 0 ? "" : "SubCode=" + subCode + ". ") + (own == null ? row.sentence() : own));
  }

  private static int status(RefusalKind kind) {
    return switch (kind) {
      case NOT_ALLOWED, NOT_AVAILABLE, NO_MATCHING_SUBSCRIPTION -> 400;
      case TOO_MANY_SESSION_STATES, DISABLED, QUOTA, ANSWER_TOO_LARGE -> 403;
      case MESSAGE_LOCK_LOST, MESSAGE_NOT_FOUND, NOT_FOUND -> 404;
      case SESSION_LOCK_LOST, SESSION_CANNOT_BE_LOCKED, SESSION_ID_MISSING, FORWARDED -> 405;
      case TIMEOUT -> 408;
      case ALREADY_EXISTS -> 409;
      case BATCH_TOO_LARGE -> 413;
      case BUSY -> 503;
    };
  }

  /** The vendor's finer number; 0 for none. */
  private static int subCode(RefusalKind kind) {
    return switch (kind) {
      case NOT_AVAILABLE -> 40_000;
      case QUOTA, ANSWER_TOO_LARGE -> 40_300;
      case DISABLED -> 40_301;
      case SESSION_LOCK_LOST,
          SESSION_CANNOT_BE_LOCKED,
          TOO_MANY_SESSION_STATES,
          SESSION_ID_MISSING,
          FORWARDED ->
          40_500;
      case BUSY -> 50_004;
      case MESSAGE_LOCK_LOST,
          MESSAGE_NOT_FOUND,
          NOT_FOUND,
          ALREADY_EXISTS,
          NOT_ALLOWED,
          BATCH_TOO_LARGE,
          TIMEOUT,
          NO_MATCHING_SUBSCRIPTION ->
          0;
    };
  }

  /** What this API words otherwise; null for what it says as the table does. */
  private static @Nullable String ownSentence(Refusal refusal, String authority, String entity) {
    return switch (refusal) {
      case Refusal.MessageNotFound it -> "The message does not exist";
      case Refusal.ScheduledMessagesNotFound it -> "The scheduled message does not exist";
      case Refusal.EntityNotFound it ->
          "40400: Endpoint not found., Resource:sb://" + authority + "/" + entity;
      case Refusal.RuleNotFound it -> "The rule does not exist";
      case Refusal.RuleAlreadyExists it -> "The rule exists";
      case Refusal.EntityAlreadyExists it -> "The entity exists";
      case Refusal.SessionLockLost it -> SESSION;
      case Refusal.SessionCannotBeLocked it -> SESSION;
      case Refusal.TooManySessionStates it -> SESSION;
      case Refusal.StoreFull it -> "The broker's store takes no more messages for now";
      case Refusal.QuotaExceeded it -> full(it);
      case Refusal.TooMany it -> "At most " + it.most() + " are allowed: " + it.what();
      case Refusal.TooManyLocked it ->
          "Only " + it.left() + " more messages can be locked here for now";
      case Refusal.AnswerTooLarge it -> "One answer carries at most " + it.maxBytes() + " bytes";
      case Refusal.TooManyCopies it ->
          it.batch()
              ? "The batch makes more copies than are made at once; send fewer messages"
              : "More copies are to be made than at once can be";
      case Refusal.EarlierIdsAreWaiting it ->
          "Messages that came before are still arriving, and one may have this id";
      case Refusal.TooManyScheduledAtOnce it ->
          "A batch with scheduled messages has at most " + it.most() + " messages here";
      case Refusal.PartitionKeyContradicts it ->
          "The PartitionKey of a message differs from its SessionId";
      case Refusal.PartitionKeyMissing it ->
          "The message needs a MessageId, a PartitionKey or a SessionId";
      case Refusal.NotOnPartitioned it -> "The operation is not available on a partitioned entity";
      case Refusal.NoMatchingSubscription it ->
          "There is no matching subscription found for the message";
      case Refusal.PropertyFixed it -> "The value of " + it.property() + " is fixed";
      case Refusal.Timeout it -> "The operation did not complete in time";
      default -> null;
    };
  }

  private static String full(Refusal.QuotaExceeded full) {
    return "The maximum entity size has been reached or exceeded. Size of entity in bytes:"
        + full.currentBytes()
        + ", Max entity size in bytes:"
        + full.maxBytes();
  }

  static Shape of(Answer.Misfit misfit, String sentence) {
    return switch (misfit) {
      case MALFORMED, NOT_FOR_SENDING -> new Shape(400, "SubCode=40000. " + sentence);
      case TOO_LARGE -> new Shape(403, "SubCode=40300. " + sentence);
      case NOT_FOR_RECEIVING -> new Shape(405, "SubCode=40500. " + sentence);
      case ENTITY_GONE -> new Shape(410, "SubCode=41000. " + sentence);
      case BUSY -> new Shape(503, "SubCode=50004. " + sentence);
      case UNREADABLE -> new Shape(500, "SubCode=50000. " + sentence);
    };
  }
}
