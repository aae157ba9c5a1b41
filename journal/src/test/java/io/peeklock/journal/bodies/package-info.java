/**
 * How bodies are read from files, on a simulated disk. Imports {@code sim} and what it tests.
 *
 * <p>Start at {@link io.peeklock.journal.bodies.ReadPlanTest}.
 */
@NullMarked
package io.peeklock.journal.bodies;

import org.jspecify.annotations.NullMarked;
