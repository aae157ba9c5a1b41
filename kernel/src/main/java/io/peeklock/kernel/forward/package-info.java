/**
 * Auto-forwarding: moves messages to the destination of their queue. Imports {@code send} and
 * below.
 *
 * <p>Start at {@link io.peeklock.kernel.forward.ForwardHandler}.
 */
@NullMarked
package io.peeklock.kernel.forward;

import org.jspecify.annotations.NullMarked;
