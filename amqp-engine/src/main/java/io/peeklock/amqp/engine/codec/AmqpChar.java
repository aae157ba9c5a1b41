package io.peeklock.amqp.engine.codec;

/**
 * A {@code char}: one Unicode code point, as its 32 raw bits.
 *
 * @param codePoint the bits of the wire; not checked to be a valid code point
 */
public record AmqpChar(int codePoint) {}
