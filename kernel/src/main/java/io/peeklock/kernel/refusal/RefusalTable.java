package io.peeklock.kernel.refusal;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The one table of refusals: the kind of each, its subject and its sentence for people. The edges
 * write a kind as their protocol has it (S-007), and have their own sentence only where the
 * vendor's wording differs there.
 */
public final class RefusalTable {
  /** The sentence for an entity whose status forbids the operation. */
  public static final String DISABLED =
      "The messaging entity is disabled for this operation. A retry does not help before its"
          + " status changes";

  private static final String LOCK_LOST =
      "The lock supplied is invalid. Either the lock expired, or the message has already"
          + " been removed from the queue. Retrying with the same lock does not help";

  private static final String SESSION_LOCK_LOST =
      "The session lock has expired on the MessageSession, or the session is not held by"
          + " this client. Accept the MessageSession again";

  private static final String SESSION_ID_MISSING =
      "The SessionId was not set on a message, and it cannot be sent to the entity."
          + " Entities that have session support enabled can only receive messages that"
          + " have the SessionId set to a valid value";

  private static final String KEY_CONTRADICTS =
      "The PartitionKey of a message differs from its SessionId. On a partitioned entity both"
          + " must be the same";

  private static final String KEYS_DIFFER =
      "All messages of a batch for a partitioned entity must have the same SessionId or"
          + " PartitionKey";

  private static final String KEY_MISSING =
      "A message for a partitioned entity that detects duplicates needs a MessageId, a"
          + " PartitionKey or a SessionId";

  private static final String STORE_FULL =
      "The broker's store takes no more messages for now. A retry helps only after there"
          + " is room";

  private static final String EARLIER_IDS_ARE_WAITING =
      "Messages of a large batch are still arriving, and one of them may have the id of this"
          + " scheduled message. A retry helps";

  private static final String NOT_LEADING =
      "The broker does not lead the log of this namespace now. A retry helps";

  private static final String TIMEOUT =
      "The operation did not complete within the allotted timeout. A retry may help";

  private static final String NO_SUBSCRIPTION =
      "There is no matching subscription found for the message. A retry does not help"
          + " before there is one";

  private static final int MOST_NAMED = 100;

  private RefusalTable() {}

  /**
   * How to report a refusal.
   *
   * @param subject the path of the entity or rule that it is about
   * @param sentence for people, without a full stop at its end
   */
  public record Row(RefusalKind kind, String subject, String sentence) {}

  /**
   * The row of a refusal.
   *
   * @param entity the path of what was asked; empty for one of several
   */
  public static Row of(Refusal refusal, String entity) {
    return switch (refusal) {
      case Refusal.MessageLockLost it -> new Row(RefusalKind.MESSAGE_LOCK_LOST, entity, LOCK_LOST);
      case Refusal.MessageNotFound it -> ofMessages(entity, it);
      case Refusal.ScheduledMessagesNotFound it -> ofMessages(entity, it);
      case Refusal.EntityNotFound it -> missing(entity);
      case Refusal.ForwardDestinationNotFound it -> missing(it.path());
      case Refusal.RuleNotFound it -> missing(entity + "/Rules/" + it.name());
      case Refusal.EntityAlreadyExists it ->
          new Row(
              RefusalKind.ALREADY_EXISTS,
              it.path(),
              "The entity '" + it.path() + "' exists and differs: " + it.difference());
      case Refusal.RuleAlreadyExists it -> ruleExists(entity + "/Rules/" + it.name());
      case Refusal.QuotaExceeded it -> quota(entity, it);
      case Refusal.TooMany it -> quota(entity, it);
      case Refusal.TooManyLocked it -> quota(entity, it);
      case Refusal.MemoryShareExceeded it -> quota(entity, it);
      case Refusal.StoreFull it -> new Row(RefusalKind.QUOTA, entity, STORE_FULL);
      case Refusal.NotLeading it -> new Row(RefusalKind.BUSY, entity, NOT_LEADING);
      case Refusal.AnswerTooLarge it -> tooLarge(entity, it);
      case Refusal.TooManyCopies it -> tooManyCopies(entity, it);
      case Refusal.EarlierIdsAreWaiting it ->
          new Row(RefusalKind.BUSY, entity, EARLIER_IDS_ARE_WAITING);
      case Refusal.TooManyScheduledAtOnce it ->
          new Row(
              RefusalKind.BATCH_TOO_LARGE,
              entity,
              "A batch with scheduled messages has at most "
                  + it.most()
                  + " messages where duplicates are detected or sessions are required. Send fewer"
                  + " messages in one batch");
      case Refusal.SessionLockLost it ->
          new Row(RefusalKind.SESSION_LOCK_LOST, entity, SESSION_LOCK_LOST);
      case Refusal.SessionCannotBeLocked it -> ofSessions(entity, it);
      case Refusal.TooManySessionStates it -> ofSessions(entity, it);
      case Refusal.SessionIdMissing it ->
          new Row(RefusalKind.SESSION_ID_MISSING, entity, SESSION_ID_MISSING);
      case Refusal.PartitionKeyContradicts it -> notAllowed(entity, KEY_CONTRADICTS);
      case Refusal.PartitionKeysDiffer it -> notAllowed(entity, KEYS_DIFFER);
      case Refusal.PartitionKeyMissing it -> notAllowed(entity, KEY_MISSING);
      case Refusal.NotOnPartitioned it ->
          notAllowed(
              entity, "The operation is not available on '" + entity + "', which is partitioned");
      case Refusal.PropertyFixed it ->
          notAllowed(
              entity,
              "The value of " + it.property() + " is fixed when '" + entity + "' is created");
      case Refusal.AlreadyDeadLettered it ->
          notAllowed(entity, "A message in a dead-letter queue cannot be dead-lettered again");
      case Refusal.FeatureNotAvailable it ->
          new Row(
              RefusalKind.NOT_AVAILABLE,
              entity,
              "The profile of this namespace does not have " + it.feature());
      case Refusal.MessagesAreForwarded it ->
          new Row(
              RefusalKind.FORWARDED,
              entity,
              "Messages cannot be received here, because they are forwarded to '"
                  + it.destination()
                  + "'");
      case Refusal.EntityDisabled it -> new Row(RefusalKind.DISABLED, entity, DISABLED);
      case Refusal.Timeout it -> new Row(RefusalKind.TIMEOUT, entity, TIMEOUT);
      case Refusal.NoMatchingSubscription it ->
          new Row(RefusalKind.NO_MATCHING_SUBSCRIPTION, entity, NO_SUBSCRIPTION);
    };
  }

  private static Row missing(String path) {
    return new Row(RefusalKind.NOT_FOUND, path, "The entity '" + path + "' does not exist");
  }

  private static Row notAllowed(String entity, String sentence) {
    return new Row(RefusalKind.NOT_ALLOWED, entity, sentence);
  }

  private static Row ofMessages(String entity, Refusal.MessageNotFound missing) {
    return new Row(
        RefusalKind.MESSAGE_NOT_FOUND,
        entity,
        "Failed to lock one or more specified messages. The message with sequence number "
            + missing.sequenceNumber()
            + " does not exist, is locked, or is not deferred");
  }

  private static Row ofMessages(String entity, Refusal.ScheduledMessagesNotFound missing) {
    return new Row(
        RefusalKind.MESSAGE_NOT_FOUND,
        entity,
        "Scheduled messages with these sequence numbers do not exist, are active by now, or"
            + " were cancelled: "
            + named(missing.sequenceNumbers()));
  }

  private static String named(long[] numbers) {
    return Arrays.stream(numbers)
        .limit(MOST_NAMED)
        .mapToObj(Long::toString)
        .collect(Collectors.joining(", "));
  }

  private static Row ruleExists(String path) {
    return new Row(
        RefusalKind.ALREADY_EXISTS,
        path,
        "The messaging entity '"
            + path
            + "' already exists. Choose another name, or remove the rule first");
  }

  private static Row quota(String entity, Refusal.QuotaExceeded full) {
    return new Row(
        RefusalKind.QUOTA,
        entity,
        "The maximum entity size has been reached or exceeded: Size of entity in bytes:"
            + full.currentBytes()
            + ", Max entity size in bytes:"
            + full.maxBytes()
            + ". A retry helps only after messages were taken out");
  }

  private static Row quota(String entity, Refusal.TooMany many) {
    return new Row(
        RefusalKind.QUOTA,
        entity,
        "At most "
            + many.most()
            + " are allowed: "
            + many.what()
            + ". A retry helps only after one was deleted");
  }

  private static Row quota(String entity, Refusal.TooManyLocked locked) {
    return new Row(
        RefusalKind.QUOTA,
        entity,
        "Only "
            + locked.left()
            + " more messages can be locked here for now. A retry helps only for fewer, or after"
            + " some were settled");
  }

  private static Row quota(String entity, Refusal.MemoryShareExceeded share) {
    return new Row(
        RefusalKind.QUOTA,
        entity,
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

  private static Row tooLarge(String entity, Refusal.AnswerTooLarge large) {
    return new Row(
        RefusalKind.ANSWER_TOO_LARGE,
        entity,
        "The messages have "
            + large.bytes()
            + " bytes, and one answer carries at most "
            + large.maxBytes()
            + ". None was received; ask for fewer at a time, and for a large one under lock");
  }

  private static Row tooManyCopies(String entity, Refusal.TooManyCopies many) {
    return many.batch()
        ? new Row(
            RefusalKind.BATCH_TOO_LARGE,
            entity,
            "The batch makes more copies for subscriptions than are made at once where messages"
                + " that no subscription selects are refused. Send fewer messages in one batch")
        : new Row(
            RefusalKind.BUSY,
            entity,
            "More messages came at once than there can be copies made of where messages that no"
                + " subscription selects are refused. A retry helps");
  }

  private static Row ofSessions(String entity, Refusal.SessionCannotBeLocked other) {
    return new Row(
        RefusalKind.SESSION_CANNOT_BE_LOCKED,
        entity,
        "The requested session '"
            + other.sessionId()
            + "' cannot be accepted. It may be locked by another receiver. A retry may help"
            + " later");
  }

  private static Row ofSessions(String entity, Refusal.TooManySessionStates many) {
    return new Row(
        RefusalKind.TOO_MANY_SESSION_STATES,
        entity,
        "The entity has "
            + many.most()
            + " sessions with a state, which is the most. A retry helps only after the state of"
            + " another session was cleared");
  }
}
