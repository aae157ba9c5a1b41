package io.peeklock.amqp.engine.framing;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An {@code error}, sent to a peer or received from it (2.8.14). Written with all three fields.
 *
 * @param condition the symbol, for example {@code amqp:not-found}
 * @param description the sentence for people; null is written as null
 * @param info more facts under symbol keys, in the Java types of {@code AmqpValues}; empty is
 *     written as null
 */
public record AmqpError(
    String condition, @Nullable String description, Map<String, @Nullable Object> info) {
  /** {@code amqp:internal-error}. */
  public static final String INTERNAL_ERROR = "amqp:internal-error";

  /** {@code amqp:not-allowed}. */
  public static final String NOT_ALLOWED = "amqp:not-allowed";

  /** {@code amqp:illegal-state}. */
  public static final String ILLEGAL_STATE = "amqp:illegal-state";

  /** {@code amqp:decode-error}. */
  public static final String DECODE_ERROR = "amqp:decode-error";

  /** {@code amqp:invalid-field}. */
  public static final String INVALID_FIELD = "amqp:invalid-field";

  /** {@code amqp:resource-limit-exceeded}. */
  public static final String RESOURCE_LIMIT_EXCEEDED = "amqp:resource-limit-exceeded";

  /** {@code amqp:connection:framing-error}. */
  public static final String FRAMING_ERROR = "amqp:connection:framing-error";

  /** {@code amqp:connection:forced}. */
  public static final String CONNECTION_FORCED = "amqp:connection:forced";

  /** {@code amqp:session:handle-in-use}. */
  public static final String HANDLE_IN_USE = "amqp:session:handle-in-use";

  /** {@code amqp:unauthorized-access}. */
  public static final String UNAUTHORIZED_ACCESS = "amqp:unauthorized-access";

  public AmqpError {
    info = Collections.unmodifiableMap(new LinkedHashMap<>(info));
  }

  /** An error without info. */
  public static AmqpError of(String condition, @Nullable String description) {
    return new AmqpError(condition, description, Map.of());
  }
}
