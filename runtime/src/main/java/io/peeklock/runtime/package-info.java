/**
 * Runs the kernel: mailbox, stamps, batches, gate and timers, and the ports that edges and journals
 * implement or call. Imports the kernel and the packages below it in the runtime.
 *
 * <p>Start at {@link io.peeklock.runtime.Shard}; the ports are {@link io.peeklock.runtime.Log},
 * {@link io.peeklock.runtime.BodyStorage} and {@link io.peeklock.runtime.Snapshots} (behind), and
 * {@link io.peeklock.runtime.Endpoint} (in front).
 */
@NullMarked
package io.peeklock.runtime;

import org.jspecify.annotations.NullMarked;
