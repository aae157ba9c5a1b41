package io.peeklock.amqp;

import io.peeklock.kernel.Refusal;

/** The one table from refusals of the kernel to conditions of the wire (amqp.md 6.3). */
final class Refusals {
  private Refusals() {}

  /**
   * How a refusal is told.
   *
   * @param condition the symbol
   * @param status of a management answer
   * @param transientFault whether a retry can help
   * @param sentence for people
   */
  record Shape(String condition, int status, boolean transientFault, String sentence) {
    private Shape(String condition, int status, String sentence) {
      this(condition, status, false, sentence);
    }
  }

  static Shape of(Refusal refusal, String entity, Errors errors) {
    return switch (refusal) {
      case Refusal.MessageLockLost lost ->
          new Shape(
              Conditions.MESSAGE_LOCK_LOST,
              410,
              "The lock supplied is invalid. Either the lock expired, or the message has already"
                  + " been removed from the queue. Retrying with the same lock does not help");
      case Refusal.MessageNotFound missing ->
          new Shape(
              Conditions.MESSAGE_NOT_FOUND,
              404,
              "Failed to lock one or more specified messages. The message with sequence number "
                  + missing.sequenceNumber()
                  + " does not exist, is locked, or is not deferred");
      case Refusal.EntityNotFound gone ->
          new Shape(Conditions.NOT_FOUND, 404, errors.notFound(entity));
      case Refusal.EntityAlreadyExists other ->
          new Shape(
              Conditions.ENTITY_ALREADY_EXISTS,
              409,
              "The entity '" + other.path() + "' exists and differs: " + other.difference());
      case Refusal.QuotaExceeded full ->
          new Shape(
              Conditions.RESOURCE_LIMIT_EXCEEDED,
              403,
              "The maximum entity size has been reached or exceeded: Size of entity in bytes:"
                  + full.currentBytes()
                  + ", Max entity size in bytes:"
                  + full.maxBytes()
                  + ". A retry helps only after messages were taken out");
      case Refusal.AlreadyDeadLettered twice ->
          new Shape(
              Conditions.NOT_ALLOWED,
              400,
              "A message in a dead-letter queue cannot be dead-lettered again");
      case Refusal.StoreFull full ->
          new Shape(
              Conditions.RESOURCE_LIMIT_EXCEEDED,
              403,
              "The broker's store takes no more messages for now. A retry helps only after there"
                  + " is room");
    };
  }
}
