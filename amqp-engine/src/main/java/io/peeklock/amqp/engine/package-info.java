/**
 * A server-side AMQP 1.0 engine for one connection: bytes in, callbacks; calls, bytes out.
 *
 * <p>Pure: no thread, no clock, no socket and no Service Bus. Time is a parameter, the caller's
 * thread does all the work, and every protocol error ends as a value with a condition. Start with
 * {@link io.peeklock.amqp.engine.AmqpEngine}, then {@link io.peeklock.amqp.engine.EngineListener};
 * {@code AmqpSession} holds windows and the unsettled table, {@code SendingLink} and {@code
 * ReceivingLink} credit and deliveries. Types of the wire live in the {@code codec} package.
 */
@NullMarked
package io.peeklock.amqp.engine;

import org.jspecify.annotations.NullMarked;
