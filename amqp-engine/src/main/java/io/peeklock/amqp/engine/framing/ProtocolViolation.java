package io.peeklock.amqp.engine.framing;

import io.peeklock.amqp.engine.codec.AmqpDecodeException;
import java.util.Map;

/**
 * A client broke the protocol. Thrown where it is noticed and caught at the entry of the engine,
 * which closes the connection with this error. It never leaves the engine.
 */
public final class ProtocolViolation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient AmqpError error;

  private ProtocolViolation(AmqpError error) {
    super(error.description(), null, false, false);
    this.error = error;
  }

  /** A violation with this condition and this sentence for people. */
  public static ProtocolViolation of(String condition, String description) {
    return new ProtocolViolation(new AmqpError(condition, description, Map.of()));
  }

  /** A violation by bytes that cannot be decoded. */
  public static ProtocolViolation undecodable(AmqpDecodeException cause) {
    return of(AmqpError.DECODE_ERROR, String.valueOf(cause.getMessage()));
  }

  /** The error to send to the client. */
  public AmqpError error() {
    return error;
  }
}
