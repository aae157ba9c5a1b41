/**
 * Scheduled messages: how they are cancelled, and how they become active. Imports {@code send} and
 * below, as a topic makes copies of what becomes active.
 *
 * <p>Start at {@link io.peeklock.kernel.schedule.ScheduledActivationHandler}.
 */
@NullMarked
package io.peeklock.kernel.schedule;

import org.jspecify.annotations.NullMarked;
