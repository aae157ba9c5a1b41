package io.peeklock.amqp.engine.codec;

/**
 * A {@code timestamp}, as its own type, so that it is never encoded as a {@code long}.
 *
 * @param epochMillis milliseconds since 1970-01-01T00:00:00Z, may be negative
 */
public record Timestamp(long epochMillis) {}
