/**
 * The real shard on the real journal, on one thread, under simulated time, disk and faults, all of
 * them drawn from a seed. Knows the broker's runtime and journal, and nothing of clients.
 *
 * <p>Start at {@link io.peeklock.simulator.world.World}.
 */
@NullMarked
package io.peeklock.simulator.world;

import org.jspecify.annotations.NullMarked;
