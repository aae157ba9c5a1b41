/**
 * Who is admitted, where what was sent arrives, the copies that a topic makes, and the queues of
 * transfers. Imports {@code decide} and below.
 *
 * <p>Start at {@link io.peeklock.kernel.send.SendHandler}.
 */
@NullMarked
package io.peeklock.kernel.send;

import org.jspecify.annotations.NullMarked;
