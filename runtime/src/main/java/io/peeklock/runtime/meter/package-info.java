/**
 * What happened since the broker started, counted for operators: from facts and grants, a burst at
 * a time, beside everything else.
 *
 * <p>Start at {@link io.peeklock.runtime.meter.ShardMeters}. How it is shown is the business of
 * whoever reads it.
 */
@NullMarked
package io.peeklock.runtime.meter;

import org.jspecify.annotations.NullMarked;
