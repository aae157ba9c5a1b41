package io.peeklock.amqp.engine.codec;

/**
 * The bytes are not the AMQP value that was asked for. Carries no stack: it is thrown on hostile
 * input, where a stack costs more than the input did.
 */
public final class AmqpDecodeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A failure with this sentence, without a stack trace. */
  public AmqpDecodeException(String message) {
    super(message, null, false, false);
  }
}
