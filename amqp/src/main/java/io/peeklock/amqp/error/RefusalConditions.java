package io.peeklock.amqp.error;

import io.peeklock.kernel.Refusal;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The one table from refusals of the kernel to conditions of the wire (amqp.md 6.3). */
public final class RefusalConditions {
  private static final int MOST_NAMED = 100;

  private RefusalConditions() {}

  /**
   * How a refusal is told.
   *
   * @param condition the symbol
   * @param status of a management answer
   * @param transientFault whether a retry can help
   * @param sentence for people
   */
  public record Shape(String condition, int status, boolean transientFault, String sentence) {
    private Shape(String condition, int status, String sentence) {
      this(condition, status, false, sentence);
    }
  }

  private static final Shape SESSION_LOCK_LOST =
      new Shape(
          Conditions.SESSION_LOCK_LOST,
          410,
          "The session lock has expired on the MessageSession, or the session is not held by"
              + " this client. Accept the MessageSession again");

  private static final Shape TIMEOUT =
      new Shape(
          Conditions.TIMEOUT,
          408,
          true,
          "The operation did not complete within the allotted timeout. A retry may help");

  private static final Shape SESSION_ID_MISSING =
      new Shape(
          Conditions.NOT_ALLOWED,
          405,
          "The SessionId was not set on a message, and it cannot be sent to the entity."
              + " Entities that have session support enabled can only receive messages that"
              + " have the SessionId set to a valid value");

  private static final Shape BATCH_OF_TOO_MANY_COPIES =
      new Shape(
          Conditions.MESSAGE_SIZE_EXCEEDED,
          403,
          "The batch makes more copies for subscriptions than are made at once where messages that"
              + " no subscription selects are refused. Send fewer messages in one batch");
  private static final Shape TOO_MANY_COPIES =
      new Shape(
          Conditions.SERVER_BUSY,
          503,
          "More messages came at once than there can be copies made of where messages that no"
              + " subscription selects are refused. A retry helps");
  private static final Shape NO_MATCHING_SUBSCRIPTION =
      new Shape(
          Conditions.NO_MATCHING_SUBSCRIPTION,
          500,
          "There is no matching subscription found for the message. A retry does not help before"
              + " there is one");

  /** How a link is told that an entity's status is in its way. */
  public static final String DISABLED =
      "The messaging entity is disabled for this operation. A retry does not help before its"
          + " status changes";

  private static final Shape ENTITY_DISABLED = new Shape(Conditions.ENTITY_DISABLED, 400, DISABLED);

  private static final Shape MESSAGE_LOCK_LOST =
      new Shape(
          Conditions.MESSAGE_LOCK_LOST,
          410,
          "The lock supplied is invalid. Either the lock expired, or the message has already"
              + " been removed from the queue. Retrying with the same lock does not help");

  private static final String KEY_CONTRADICTS =
      "The PartitionKey of a message differs from its SessionId. On a partitioned entity both must"
          + " be the same";

  private static final String KEYS_DIFFER =
      "All messages of a batch for a partitioned entity must have the same SessionId or"
          + " PartitionKey";

  private static final String KEY_MISSING =
      "A message for a partitioned entity that detects duplicates needs a MessageId, a PartitionKey"
          + " or a SessionId";

  public static Shape of(Refusal refusal, String entity, Errors errors) {
    return switch (refusal) {
      case Refusal.MessageLockLost lost -> MESSAGE_LOCK_LOST;
      case Refusal.MessageNotFound missing ->
          new Shape(
              Conditions.MESSAGE_NOT_FOUND,
              404,
              "Failed to lock one or more specified messages. The message with sequence number "
                  + missing.sequenceNumber()
                  + " does not exist, is locked, or is not deferred");
      case Refusal.ScheduledMessagesNotFound missing -> notScheduled(missing);
      case Refusal.SessionLockLost lost -> SESSION_LOCK_LOST;
      case Refusal.SessionCannotBeLocked other -> cannotBeLocked(other);
      case Refusal.TooManySessionStates many -> tooManyStates(many);
      case Refusal.Timeout none -> TIMEOUT;
      case Refusal.SessionIdMissing none -> SESSION_ID_MISSING;
      case Refusal.EntityDisabled disabled -> ENTITY_DISABLED;
      case Refusal.PropertyFixed fixed ->
          new Shape(
              Conditions.NOT_ALLOWED,
              400,
              "The value of " + fixed.property() + " is fixed when '" + entity + "' is created");
      case Refusal.PartitionKeyContradicts no -> notAllowed(KEY_CONTRADICTS);
      case Refusal.PartitionKeysDiffer no -> notAllowed(KEYS_DIFFER);
      case Refusal.PartitionKeyMissing no -> notAllowed(KEY_MISSING);
      case Refusal.NotOnPartitioned no ->
          new Shape(
              Conditions.NOT_ALLOWED,
              400,
              "The operation is not available on '" + entity + "', which is partitioned");
      case Refusal.RuleAlreadyExists there -> ruleExists(there, entity);
      case Refusal.RuleNotFound missing ->
          new Shape(
              Conditions.NOT_FOUND, 404, errors.notFound(entity + "/Rules/" + missing.name()));
      case Refusal.ForwardDestinationNotFound missing ->
          new Shape(Conditions.NOT_FOUND, 404, errors.notFound(missing.path()));
      case Refusal.NoMatchingSubscription none -> NO_MATCHING_SUBSCRIPTION;
      case Refusal.TooManyCopies many -> many.batch() ? BATCH_OF_TOO_MANY_COPIES : TOO_MANY_COPIES;
      case Refusal.EntityNotFound gone ->
          new Shape(Conditions.NOT_FOUND, 404, errors.notFound(entity));
      case Refusal.EntityAlreadyExists other ->
          new Shape(
              Conditions.ENTITY_ALREADY_EXISTS,
              409,
              "The entity '" + other.path() + "' exists and differs: " + other.difference());
      case Refusal.QuotaExceeded full -> full(full);
      case Refusal.MessagesAreForwarded on -> forwarded(on);
      case Refusal.TooMany many -> tooMany(many);
      case Refusal.AnswerTooLarge large -> tooLarge(large);
      case Refusal.TooManyLocked locked -> tooManyLocked(locked);
      case Refusal.FeatureNotAvailable not ->
          new Shape(
              Conditions.NOT_ALLOWED,
              400,
              "The profile of this namespace does not have " + not.feature());
      case Refusal.AlreadyDeadLettered twice ->
          new Shape(
              Conditions.NOT_ALLOWED,
              400,
              "A message in a dead-letter queue cannot be dead-lettered again");
      case Refusal.MemoryShareExceeded share -> shareExceeded(share, entity);
      case Refusal.StoreFull full ->
          new Shape(
              Conditions.RESOURCE_LIMIT_EXCEEDED,
              403,
              "The broker's store takes no more messages for now. A retry helps only after there"
                  + " is room");
    };
  }

  private static Shape ruleExists(Refusal.RuleAlreadyExists there, String entity) {
    return new Shape(
        Conditions.ENTITY_ALREADY_EXISTS,
        409,
        "The messaging entity '"
            + entity
            + "/Rules/"
            + there.name()
            + "' already exists. Choose another name, or remove the rule first");
  }

  private static Shape full(Refusal.QuotaExceeded full) {
    return new Shape(
        Conditions.RESOURCE_LIMIT_EXCEEDED,
        403,
        "The maximum entity size has been reached or exceeded: Size of entity in bytes:"
            + full.currentBytes()
            + ", Max entity size in bytes:"
            + full.maxBytes()
            + ". A retry helps only after messages were taken out");
  }

  private static Shape shareExceeded(Refusal.MemoryShareExceeded share, String entity) {
    return new Shape(
        Conditions.RESOURCE_LIMIT_EXCEEDED,
        403,
        (entity.isEmpty() ? "one of its entities" : "'" + entity + "'") // of a transaction
            + " would hold "
            + share.heldBytes()
            + " bytes of the broker's memory for "
            + (share.ofBodies() ? "bodies" : "messages")
            + " with this, and may hold "
            + share.mostBytes()
            + " while so little is free: the rest is for other entities. A retry helps only after"
            + " messages were taken out");
  }

  private static Shape forwarded(Refusal.MessagesAreForwarded on) {
    return new Shape(
        Conditions.NOT_ALLOWED,
        400,
        "Messages cannot be received here, because they are forwarded to '"
            + on.destination()
            + "'");
  }

  private static Shape tooLarge(Refusal.AnswerTooLarge large) {
    return new Shape(
        Conditions.MESSAGE_SIZE_EXCEEDED,
        403,
        "The messages have "
            + large.bytes()
            + " bytes, and one answer carries at most "
            + large.maxBytes()
            + ". None was received; ask for fewer at a time, and for a large one under lock");
  }

  private static Shape tooMany(Refusal.TooMany many) {
    return new Shape(
        Conditions.RESOURCE_LIMIT_EXCEEDED,
        403,
        "At most "
            + many.most()
            + " are allowed: "
            + many.what()
            + ". A retry helps only after one was deleted");
  }

  private static Shape tooManyLocked(Refusal.TooManyLocked locked) {
    return new Shape(
        Conditions.RESOURCE_LIMIT_EXCEEDED,
        403,
        "Only "
            + locked.left()
            + " more messages can be locked here for now. A retry helps only for fewer, or after"
            + " some were settled");
  }

  private static Shape notAllowed(String sentence) {
    return new Shape(Conditions.NOT_ALLOWED, 400, sentence);
  }

  private static Shape cannotBeLocked(Refusal.SessionCannotBeLocked other) {
    return new Shape(
        Conditions.SESSION_CANNOT_BE_LOCKED,
        410,
        "The requested session '"
            + other.sessionId()
            + "' cannot be accepted. It may be locked by another receiver. A retry may help"
            + " later");
  }

  /** The same for what is told of a message or a transaction. */
  public static MessageProblem problem(Refusal refusal, String entity, Errors errors) {
    var shape = of(refusal, entity, errors);
    return new MessageProblem(shape.condition(), shape.sentence());
  }

  /** The first of a list, null when there is none. */
  public static @Nullable Refusal first(@Nullable Refusal @Nullable [] refusals) {
    if (refusals != null) {
      for (var refusal : refusals) {
        if (refusal != null) {
          return refusal;
        }
      }
    }
    return null;
  }

  private static Shape tooManyStates(Refusal.TooManySessionStates many) {
    return new Shape(
        Conditions.RESOURCE_LIMIT_EXCEEDED,
        403,
        "The entity has "
            + many.most()
            + " sessions with a state, which is the most. A retry helps only after the state of"
            + " another session was cleared");
  }

  private static Shape notScheduled(Refusal.ScheduledMessagesNotFound missing) {
    return new Shape(
        Conditions.MESSAGE_NOT_FOUND,
        404,
        "Scheduled messages with these sequence numbers do not exist, are active by now, or"
            + " were cancelled: "
            + Arrays.stream(missing.sequenceNumbers())
                .limit(MOST_NAMED)
                .mapToObj(Long::toString)
                .collect(Collectors.joining(", ")));
  }
}
