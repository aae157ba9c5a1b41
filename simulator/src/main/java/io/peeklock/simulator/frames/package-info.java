/**
 * Clients that speak AMQP with the real edge of the simulated broker, frame by frame over simulated
 * connections. Knows the history's words, the world, the edge, and the clients of the other depth,
 * by whom entities are administered; the client's codec is its own.
 *
 * <p>Start at {@link io.peeklock.simulator.frames.Peer}.
 */
@NullMarked
package io.peeklock.simulator.frames;

import org.jspecify.annotations.NullMarked;
