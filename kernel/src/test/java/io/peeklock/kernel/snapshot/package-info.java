/**
 * Stories about {@code snapshot}, told against the machine alone.
 *
 * <p>Start at {@link io.peeklock.kernel.snapshot.GapsTest}.
 */
@NullMarked
package io.peeklock.kernel.snapshot;

import org.jspecify.annotations.NullMarked;
