/**
 * Drives the kernel: mailbox, stamps, batches, gate, timers; and owns the ports that the edges
 * implement or call.
 *
 * <p>Start at {@link io.peeklock.runtime.Shard}; the ports are {@link io.peeklock.runtime.Log},
 * {@link io.peeklock.runtime.BodyStorage} and {@link io.peeklock.runtime.Snapshots} (behind), and
 * {@link io.peeklock.runtime.Endpoint} (in front).
 */
@NullMarked
package io.peeklock.runtime;

import org.jspecify.annotations.NullMarked;
