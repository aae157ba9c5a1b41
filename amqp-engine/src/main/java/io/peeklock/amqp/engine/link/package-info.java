/**
 * The links of a session and their frames (2.6 of the standard): attach and detach, credit,
 * transfers in both directions, and the deliveries that are not settled.
 *
 * <p>{@link io.peeklock.amqp.engine.link.SessionLinks} takes the frames, {@link
 * io.peeklock.amqp.engine.link.SendingLink} and {@link io.peeklock.amqp.engine.link.ReceivingLink}
 * are what the edge holds. Imports {@code session} and below, never the connection.
 */
@NullMarked
package io.peeklock.amqp.engine.link;

import org.jspecify.annotations.NullMarked;
