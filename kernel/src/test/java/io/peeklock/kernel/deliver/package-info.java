/**
 * Stories about {@code deliver}, told against the machine alone.
 *
 * <p>Start at {@link io.peeklock.kernel.deliver.DeleteMessagesTest}.
 */
@NullMarked
package io.peeklock.kernel.deliver;

import org.jspecify.annotations.NullMarked;
