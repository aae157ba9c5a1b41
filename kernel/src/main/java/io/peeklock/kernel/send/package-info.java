/**
 * Sending: which messages are accepted, where they arrive, the copies that a topic makes, and
 * transfer queues. Imports {@code decide} and below.
 *
 * <p>Start at {@link io.peeklock.kernel.send.SendHandler}.
 */
@NullMarked
package io.peeklock.kernel.send;

import org.jspecify.annotations.NullMarked;
