/**
 * Clients of the simulated broker: what they ask becomes requests of the real shard, and what it
 * answers becomes words of the protocol, in the order in which it was decided. Knows the history's
 * words and the world.
 *
 * <p>Start at {@link io.peeklock.simulator.client.Client}.
 */
@NullMarked
package io.peeklock.simulator.client;

import org.jspecify.annotations.NullMarked;
