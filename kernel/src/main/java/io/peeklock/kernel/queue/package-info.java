/**
 * The machine of a shard: its queues' rules and state.
 *
 * <p>Start at {@link io.peeklock.kernel.queue.Machine}. A request is decided by the handler that
 * has its name; what became true is applied by {@code FactApplier}, what is only held in memory
 * (locks and demand) by {@code GrantApplier}.
 */
@NullMarked
package io.peeklock.kernel.queue;

import org.jspecify.annotations.NullMarked;
