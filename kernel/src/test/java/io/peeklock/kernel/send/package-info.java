/**
 * Stories about {@code send}, told against the machine alone.
 *
 * <p>Start at {@link io.peeklock.kernel.send.DuplicateTest}.
 */
@NullMarked
package io.peeklock.kernel.send;

import org.jspecify.annotations.NullMarked;
