/**
 * Scheduled messages: how they are cancelled, and how they become active. Imports {@code send} and
 * below, as a topic copies messages that become active.
 *
 * <p>Start at {@link io.peeklock.kernel.schedule.ScheduledActivationHandler}.
 */
@NullMarked
package io.peeklock.kernel.schedule;

import org.jspecify.annotations.NullMarked;
