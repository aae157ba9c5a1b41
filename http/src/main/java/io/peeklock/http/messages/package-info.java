/**
 * The runtime API: messages sent, received and settled with plain requests (runtime-http.md).
 * Imports {@code http}, the runtime's messages without a protocol, and values of the kernel; not
 * the AMQP edge, which implements those messages.
 *
 * <p>Start at {@link io.peeklock.http.messages.MessageRoutes}. Properties travel as JSON and as
 * headers: {@link io.peeklock.http.messages.BrokerProperties}, {@link
 * io.peeklock.http.messages.PropertyHeaders}.
 */
@NullMarked
package io.peeklock.http.messages;

import org.jspecify.annotations.NullMarked;
