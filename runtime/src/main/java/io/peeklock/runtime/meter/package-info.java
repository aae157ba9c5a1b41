/**
 * Counters for operators since the start of the broker, from facts and grants, one burst at a time.
 * They are read by edges that show them; imports {@code thread} and the kernel.
 *
 * <p>Start at {@link io.peeklock.runtime.meter.ShardMeters}.
 */
@NullMarked
package io.peeklock.runtime.meter;

import org.jspecify.annotations.NullMarked;
