/**
 * Drives the kernel: mailbox, stamps, batches, gate, timers; and owns the ports that the edges
 * implement or call.
 *
 * <p>Start at {@link io.peeklock.runtime.Shard}; the ports are {@link io.peeklock.runtime.Journal}
 * (behind) and {@link io.peeklock.runtime.Endpoint} (in front).
 */
@NullMarked
package io.peeklock.runtime;

import org.jspecify.annotations.NullMarked;
