/**
 * Stories about {@code transaction}, told against the machine alone.
 *
 * <p>Start at {@link io.peeklock.kernel.transaction.TransactedStateTest}.
 */
@NullMarked
package io.peeklock.kernel.transaction;

import org.jspecify.annotations.NullMarked;
