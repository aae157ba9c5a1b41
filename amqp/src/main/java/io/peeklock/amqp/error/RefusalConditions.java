package io.peeklock.amqp.error;

import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.refusal.RefusalKind;
import io.peeklock.kernel.refusal.RefusalTable;
import io.peeklock.runtime.access.Right;
import org.jspecify.annotations.Nullable;

/** Kinds of refusals as conditions of the wire (amqp.md 6.3); sentences are those of the table. */
public final class RefusalConditions {
  private RefusalConditions() {}

  /**
   * How a refusal is told.
   *
   * @param condition the symbol
   * @param status of a management answer
   * @param sentence for people
   */
  public record Shape(String condition, int status, String sentence) {}

  /** How a link is told that an entity's status is in its way. */
  public static final String DISABLED = RefusalTable.DISABLED;

  public static Shape of(Refusal refusal, String entity, Errors errors) {
    var row = RefusalTable.of(refusal, entity);
    var kind = row.kind();
    var sentence = kind == RefusalKind.NOT_FOUND ? errors.notFound(row.subject()) : row.sentence();
    return new Shape(condition(kind), status(kind), sentence);
  }

  private static String condition(RefusalKind kind) {
    return switch (kind) {
      case MESSAGE_LOCK_LOST -> Conditions.MESSAGE_LOCK_LOST;
      case MESSAGE_NOT_FOUND -> Conditions.MESSAGE_NOT_FOUND;
      case NOT_FOUND -> Conditions.NOT_FOUND;
      case ALREADY_EXISTS -> Conditions.ENTITY_ALREADY_EXISTS;
      case SESSION_LOCK_LOST -> Conditions.SESSION_LOCK_LOST;
      case SESSION_CANNOT_BE_LOCKED -> Conditions.SESSION_CANNOT_BE_LOCKED;
      case TOO_MANY_SESSION_STATES, QUOTA -> Conditions.RESOURCE_LIMIT_EXCEEDED;
      case SESSION_ID_MISSING, NOT_ALLOWED, NOT_AVAILABLE, FORWARDED -> Conditions.NOT_ALLOWED;
      case DISABLED -> Conditions.ENTITY_DISABLED;
      case ANSWER_TOO_LARGE, BATCH_TOO_LARGE -> Conditions.MESSAGE_SIZE_EXCEEDED;
      case BUSY -> Conditions.SERVER_BUSY;
      case TIMEOUT -> Conditions.TIMEOUT;
      case NO_MATCHING_SUBSCRIPTION -> Conditions.NO_MATCHING_SUBSCRIPTION;
    };
  }

  private static int status(RefusalKind kind) {
    return switch (kind) {
      case NOT_ALLOWED, NOT_AVAILABLE, FORWARDED, DISABLED -> 400;
      case TOO_MANY_SESSION_STATES, QUOTA, ANSWER_TOO_LARGE, BATCH_TOO_LARGE -> 403;
      case MESSAGE_NOT_FOUND, NOT_FOUND -> 404;
      case SESSION_ID_MISSING -> 405;
      case TIMEOUT -> 408;
      case ALREADY_EXISTS -> 409;
      case MESSAGE_LOCK_LOST, SESSION_LOCK_LOST, SESSION_CANNOT_BE_LOCKED -> 410;
      case NO_MATCHING_SUBSCRIPTION -> 500;
      case BUSY -> 503;
    };
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

  /**
   * The sentence for a client without a right.
   *
   * @param right null where any would do
   */
  public static String unauthorized(@Nullable Right right) {
    return "Unauthorized access. '"
        + (right == null ? "Send' or 'Listen" : right.claim())
        + "' claim(s) are required to perform this operation";
  }
}
