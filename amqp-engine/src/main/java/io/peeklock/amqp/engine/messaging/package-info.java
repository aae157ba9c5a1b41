/**
 * The states of deliveries, and where messages come from and go to (3.4, 3.5 and 4 of the
 * standard): outcomes, delivery states, sources and targets, transactions.
 *
 * <p>{@link io.peeklock.amqp.engine.messaging.Outcome} is what we send, {@link
 * io.peeklock.amqp.engine.messaging.PeerState} what a client sent. Imports {@code framing} and
 * {@code codec}.
 */
@NullMarked
package io.peeklock.amqp.engine.messaging;

import org.jspecify.annotations.NullMarked;
