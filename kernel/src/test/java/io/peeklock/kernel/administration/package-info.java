/**
 * Stories about {@code administration}, told against the machine alone.
 *
 * <p>Start at {@link io.peeklock.kernel.administration.CreateQueueTest}.
 */
@NullMarked
package io.peeklock.kernel.administration;

import org.jspecify.annotations.NullMarked;
