/**
 * Stories about {@code schedule}, told against the machine alone.
 *
 * <p>Start at {@link io.peeklock.kernel.schedule.ScheduleTest}.
 */
@NullMarked
package io.peeklock.kernel.schedule;

import org.jspecify.annotations.NullMarked;
