/**
 * Settlements and renewals, and what the end of a lock does to its message. Imports {@code decide}
 * and below.
 *
 * <p>Start at {@link io.peeklock.kernel.settle.SettleHandler}.
 */
@NullMarked
package io.peeklock.kernel.settle;

import org.jspecify.annotations.NullMarked;
