/**
 * Stories about {@code session}, told against the machine alone.
 *
 * <p>Start at {@link io.peeklock.kernel.session.SessionEndingTest}.
 */
@NullMarked
package io.peeklock.kernel.session;

import org.jspecify.annotations.NullMarked;
