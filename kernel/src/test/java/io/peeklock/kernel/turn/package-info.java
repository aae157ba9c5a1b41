/**
 * Stories about {@code turn}, told against the machine alone.
 *
 * <p>Start at {@link io.peeklock.kernel.turn.ExpiryTest}.
 */
@NullMarked
package io.peeklock.kernel.turn;

import org.jspecify.annotations.NullMarked;
