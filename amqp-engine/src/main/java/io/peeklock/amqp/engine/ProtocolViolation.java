package io.peeklock.amqp.engine;

import io.peeklock.amqp.engine.codec.AmqpDecodeException;
import java.util.Map;

/**
 * A client broke the protocol. Thrown where it is noticed, caught once at the entry of the engine,
 * where it becomes a {@code close} with this error. It never leaves the engine.
 */
final class ProtocolViolation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient AmqpError error;

  private ProtocolViolation(AmqpError error) {
    super(error.description(), null, false, false);
    this.error = error;
  }

  static ProtocolViolation of(String condition, String description) {
    return new ProtocolViolation(new AmqpError(condition, description, Map.of()));
  }

  static ProtocolViolation undecodable(AmqpDecodeException cause) {
    return of(AmqpError.DECODE_ERROR, String.valueOf(cause.getMessage()));
  }

  AmqpError error() {
    return error;
  }
}
