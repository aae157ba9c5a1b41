package io.peeklock.amqp;

/** The error conditions that this module sends (amqp.md 6.3); never any other (T-74). */
final class Conditions {
  static final String NOT_FOUND = "amqp:not-found";
  static final String UNAUTHORIZED = "amqp:unauthorized-access";
  static final String NOT_ALLOWED = "amqp:not-allowed";
  static final String NOT_IMPLEMENTED = "amqp:not-implemented";
  static final String ENTITY_DISABLED = "com.microsoft:entity-disabled";
  static final String INTERNAL_ERROR = "amqp:internal-error";
  static final String INVALID_FIELD = "amqp:invalid-field";
  static final String DECODE_ERROR = "amqp:decode-error";
  static final String RESOURCE_LIMIT_EXCEEDED = "amqp:resource-limit-exceeded";
  static final String MESSAGE_SIZE_EXCEEDED = "amqp:link:message-size-exceeded";
  static final String DETACH_FORCED = "amqp:link:detach-forced";
  static final String CONNECTION_FORCED = "amqp:connection:forced";
  static final String ARGUMENT_ERROR = "com.microsoft:argument-error";
  static final String ARGUMENT_OUT_OF_RANGE = "com.microsoft:argument-out-of-range";
  static final String SESSION_LOCK_LOST = "com.microsoft:session-lock-lost";
  static final String SESSION_CANNOT_BE_LOCKED = "com.microsoft:session-cannot-be-locked";
  static final String TIMEOUT = "com.microsoft:timeout";
  static final String MESSAGE_LOCK_LOST = "com.microsoft:message-lock-lost";
  static final String MESSAGE_NOT_FOUND = "com.microsoft:message-not-found";
  static final String ENTITY_ALREADY_EXISTS = "com.microsoft:entity-already-exists";
  static final String TRANSACTION_UNKNOWN = "amqp:transaction:unknown-id";
  static final String TRANSACTION_ROLLBACK = "amqp:transaction:rollback";
  static final String TRANSACTION_TIMEOUT = "amqp:transaction:timeout";
  static final String NO_MATCHING_SUBSCRIPTION = "com.microsoft:no-matching-subscription";
  static final String SERVER_BUSY = "com.microsoft:server-busy";

  private Conditions() {}
}
