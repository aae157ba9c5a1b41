/**
 * Stories about {@code state}, told against the machine alone.
 *
 * <p>Start at {@link io.peeklock.kernel.state.AcceptorsTest}.
 */
@NullMarked
package io.peeklock.kernel.state;

import org.jspecify.annotations.NullMarked;
