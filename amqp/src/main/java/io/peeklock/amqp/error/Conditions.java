package io.peeklock.amqp.error;

/** The error conditions that this module sends (amqp.md 6.3); never any other (T-74). */
public final class Conditions {
  public static final String NOT_FOUND = "amqp:not-found";
  public static final String UNAUTHORIZED = "amqp:unauthorized-access";
  public static final String NOT_ALLOWED = "amqp:not-allowed";
  public static final String NOT_IMPLEMENTED = "amqp:not-implemented";
  public static final String ENTITY_DISABLED = "com.microsoft:entity-disabled";
  public static final String INTERNAL_ERROR = "amqp:internal-error";
  public static final String INVALID_FIELD = "amqp:invalid-field";
  public static final String DECODE_ERROR = "amqp:decode-error";
  public static final String RESOURCE_LIMIT_EXCEEDED = "amqp:resource-limit-exceeded";
  public static final String MESSAGE_SIZE_EXCEEDED = "amqp:link:message-size-exceeded";
  public static final String DETACH_FORCED = "amqp:link:detach-forced";
  public static final String CONNECTION_FORCED = "amqp:connection:forced";
  public static final String ARGUMENT_ERROR = "com.microsoft:argument-error";
  public static final String ARGUMENT_OUT_OF_RANGE = "com.microsoft:argument-out-of-range";
  public static final String SESSION_LOCK_LOST = "com.microsoft:session-lock-lost";
  public static final String SESSION_CANNOT_BE_LOCKED = "com.microsoft:session-cannot-be-locked";
  public static final String TIMEOUT = "com.microsoft:timeout";
  public static final String MESSAGE_LOCK_LOST = "com.microsoft:message-lock-lost";
  public static final String MESSAGE_NOT_FOUND = "com.microsoft:message-not-found";
  static final String ENTITY_ALREADY_EXISTS = "com.microsoft:entity-already-exists";
  public static final String TRANSACTION_UNKNOWN = "amqp:transaction:unknown-id";
  public static final String TRANSACTION_ROLLBACK = "amqp:transaction:rollback";
  public static final String TRANSACTION_TIMEOUT = "amqp:transaction:timeout";
  public static final String NO_MATCHING_SUBSCRIPTION = "com.microsoft:no-matching-subscription";
  public static final String SERVER_BUSY = "com.microsoft:server-busy";

  private Conditions() {}
}
