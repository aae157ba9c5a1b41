/**
 * What a shard holds at a moment: queues with their messages, locks, sessions and receivers, topics
 * with their subscriptions and rules, and who waits for whom. Imports {@code columns} alone: the
 * state knows no handler, and nobody who takes a snapshot of it.
 *
 * <p>Start at {@link io.peeklock.kernel.state.MachineState}.
 */
@NullMarked
package io.peeklock.kernel.state;

import org.jspecify.annotations.NullMarked;
