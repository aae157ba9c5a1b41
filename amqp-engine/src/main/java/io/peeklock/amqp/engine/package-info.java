/**
 * A server-side AMQP 1.0 engine for one connection: bytes in, callbacks; calls, bytes out. This
 * package has the entry, the connection itself (2.4 of the standard) and its session endpoints.
 *
 * <p>Pure: no thread, no clock, no socket and no Service Bus. Time is a parameter, the caller's
 * thread does all the work, and every protocol error ends as a value with a condition. Start with
 * {@link io.peeklock.amqp.engine.AmqpEngine}, then {@link io.peeklock.amqp.engine.EngineListener};
 * links and what crosses them are in {@code link}, types of the wire in {@code codec}. Imports
 * every package below it, and is imported by none of them.
 */
@NullMarked
package io.peeklock.amqp.engine;

import org.jspecify.annotations.NullMarked;
