package io.peeklock.amqp.engine.codec;

import org.jspecify.annotations.Nullable;

/**
 * A described value whose descriptor means nothing to the engine.
 *
 * @param descriptor a {@link Unsigned.Ulong} or a {@link Symbol}
 * @param value any value that {@link AmqpValues} knows
 */
public record Described(Object descriptor, @Nullable Object value) {}
