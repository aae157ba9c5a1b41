/**
 * What filters select and actions change, told against messages made by hand.
 *
 * <p>Start at {@link io.peeklock.kernel.filter.SqlFilterTest}: tables of conditions and truths.
 */
@NullMarked
package io.peeklock.kernel.filter;

import org.jspecify.annotations.NullMarked;
