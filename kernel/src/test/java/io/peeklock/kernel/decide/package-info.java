/**
 * Stories about {@code decide}, told against the machine alone.
 *
 * <p>Start at {@link io.peeklock.kernel.decide.EntityShareTest}.
 */
@NullMarked
package io.peeklock.kernel.decide;

import org.jspecify.annotations.NullMarked;
