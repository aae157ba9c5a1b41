/**
 * Stories about {@code forward}, told against the machine alone.
 *
 * <p>Start at {@link io.peeklock.kernel.forward.DeadLetterForwardTest}.
 */
@NullMarked
package io.peeklock.kernel.forward;

import org.jspecify.annotations.NullMarked;
