/**
 * Bugs that are put into the broker on purpose, to prove that the simulator finds such. Imports the
 * JDK and the journal of no one: it reads the broker's sources, and plays in a class loader apart.
 *
 * <p>Start at {@link io.peeklock.simulator.bugs.SeededBug}.
 */
@NullMarked
package io.peeklock.simulator.bugs;

import org.jspecify.annotations.NullMarked;
