/**
 * A cruel disk, all threads on one, and a naive model to compare a journal with. For the tests of
 * all packages; imports none of what drives a whole journal.
 *
 * <p>Start at {@link io.peeklock.journal.sim.SimDisk}.
 */
@NullMarked
package io.peeklock.journal.sim;

import org.jspecify.annotations.NullMarked;
