/**
 * The broker on one thread, under a simulated world, driven by a seed and heard by an auditor.
 * Imports its own packages alone: a world, the clients that live outside of it, what they do next.
 *
 * <p>Start at {@link io.peeklock.simulator.Run}.
 */
@NullMarked
package io.peeklock.simulator;

import org.jspecify.annotations.NullMarked;
