package io.peeklock.amqp.engine.codec;

/**
 * A {@code timestamp}; a type of its own, so that it is never written back as a {@code long}.
 *
 * @param epochMillis milliseconds since 1970-01-01T00:00:00Z, may be negative
 */
public record Timestamp(long epochMillis) {}
