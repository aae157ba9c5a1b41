/**
 * Stories about {@code settle}, told against the machine alone.
 *
 * <p>Start at {@link io.peeklock.kernel.settle.DeadLetterQueueTest}.
 */
@NullMarked
package io.peeklock.kernel.settle;

import org.jspecify.annotations.NullMarked;
