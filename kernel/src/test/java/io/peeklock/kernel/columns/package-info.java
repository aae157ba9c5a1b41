/**
 * Stories about {@code columns}, told against the machine alone.
 *
 * <p>Start at {@link io.peeklock.kernel.columns.SortedLongsTest}.
 */
@NullMarked
package io.peeklock.kernel.columns;

import org.jspecify.annotations.NullMarked;
