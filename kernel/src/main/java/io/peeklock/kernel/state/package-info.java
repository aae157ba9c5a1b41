/**
 * The state of a shard: queues with their messages, locks, sessions and receivers, and topics with
 * their subscriptions and rules. Imports {@code columns} and the public families, but no handler
 * and no snapshot.
 *
 * <p>Start at {@link io.peeklock.kernel.state.MachineState}.
 */
@NullMarked
package io.peeklock.kernel.state;

import org.jspecify.annotations.NullMarked;
