package io.peeklock.http.messages;

import io.peeklock.kernel.Refusal;
import io.peeklock.runtime.message.Answer;

/** The one table from refusals to statuses of this API (runtime-http.md 3, 7, 9). */
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
      "SubCode=40500. Messages of sessions are received and settled over AMQP only";

  private static final String KEYS_DIFFER =
      "All messages of a batch for a partitioned entity must have the same SessionId or"
          + " PartitionKey";

  static Shape of(Refusal refusal, String authority, String entity) {
    return switch (refusal) {
      case Refusal.MessageLockLost lost ->
          new Shape(
              404,
              "The lock supplied is invalid. Either the lock expired, or the message has already"
                  + " been removed from the queue. Retrying with the same lock does not help");
      case Refusal.MessageNotFound missing -> new Shape(404, "The message does not exist");
      case Refusal.ScheduledMessagesNotFound missing ->
          new Shape(404, "The scheduled message does not exist");
      case Refusal.EntityNotFound missing ->
          new Shape(404, "40400: Endpoint not found., Resource:sb://" + authority + "/" + entity);
      case Refusal.ForwardDestinationNotFound missing ->
          new Shape(404, "The entity '" + missing.path() + "' does not exist");
      case Refusal.RuleNotFound missing -> new Shape(404, "The rule does not exist");
      case Refusal.SessionIdMissing missing ->
          new Shape(
              405,
              "SubCode=40500. The SessionId was not set on a message, and it cannot be sent to the"
                  + " entity. Entities that have session support enabled can only receive messages"
                  + " that have the SessionId set to a valid value");
      case Refusal.SessionLockLost lost -> new Shape(405, SESSION);
      case Refusal.SessionCannotBeLocked other -> new Shape(405, SESSION);
      case Refusal.TooManySessionStates many -> new Shape(403, SESSION);
      case Refusal.EntityDisabled disabled ->
          new Shape(
              403,
              "SubCode=40301. The messaging entity is disabled for this operation. A retry does"
                  + " not help before its status changes");
      case Refusal.QuotaExceeded full -> full(full);
      case Refusal.MemoryShareExceeded share -> shareExceeded(share, entity);
      case Refusal.StoreFull full ->
          new Shape(403, "SubCode=40300. The broker's store takes no more messages for now");
      case Refusal.PartitionKeyContradicts no ->
          new Shape(400, "The PartitionKey of a message differs from its SessionId");
      case Refusal.PartitionKeysDiffer no -> new Shape(400, KEYS_DIFFER);
      case Refusal.PartitionKeyMissing no ->
          new Shape(400, "The message needs a MessageId, a PartitionKey or a SessionId");
      case Refusal.NotOnPartitioned no ->
          new Shape(400, "The operation is not available on a partitioned entity");
      case Refusal.TooManyCopies many -> tooManyCopies(many);
      case Refusal.NoMatchingSubscription none ->
          new Shape(400, "There is no matching subscription found for the message");
      case Refusal.AlreadyDeadLettered twice ->
          new Shape(400, "A message in a dead-letter queue cannot be dead-lettered again");
      case Refusal.PropertyFixed fixed ->
          new Shape(400, "The value of " + fixed.property() + " is fixed");
      case Refusal.RuleAlreadyExists there -> new Shape(409, "The rule exists");
      case Refusal.EntityAlreadyExists there -> new Shape(409, "The entity exists");
      case Refusal.MessagesAreForwarded on ->
          new Shape(
              405,
              "SubCode=40500. Messages cannot be received here, because they are forwarded to '"
                  + on.destination()
                  + "'");
      case Refusal.AnswerTooLarge large ->
          new Shape(
              403, "SubCode=40300. One answer carries at most " + large.maxBytes() + " bytes");
      case Refusal.TooManyLocked locked ->
          new Shape(
              403,
              "SubCode=40300. Only " + locked.left() + " more messages can be locked here for now");
      case Refusal.TooMany many ->
          new Shape(403, "SubCode=40300. At most " + many.most() + " are allowed: " + many.what());
      case Refusal.FeatureNotAvailable not ->
          new Shape(
              400, "SubCode=40000. The profile of this namespace does not have " + not.feature());
      case Refusal.Timeout none -> new Shape(408, "The operation did not complete in time");
    };
  }

  private static Shape tooManyCopies(Refusal.TooManyCopies many) {
    return many.batch()
        ? new Shape(413, "The batch makes more copies than are made at once; send fewer messages")
        : new Shape(503, "SubCode=50004. More copies are to be made than at once can be");
  }

  private static Shape full(Refusal.QuotaExceeded full) {
    return new Shape(
        403,
        "SubCode=40300. The maximum entity size has been reached or exceeded. Size of entity"
            + " in bytes:"
            + full.currentBytes()
            + ", Max entity size in bytes:"
            + full.maxBytes());
  }

  private static Shape shareExceeded(Refusal.MemoryShareExceeded share, String entity) {
    return new Shape(
        403,
        "SubCode=40300. '"
            + entity
            + "' would hold "
            + share.heldBytes()
            + " bytes of the broker's memory for "
            + (share.ofBodies() ? "bodies" : "messages")
            + " with this, and may hold "
            + share.mostBytes()
            + " while so little is free: the rest is for other entities. A retry helps only after"
            + " messages were taken out");
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
