/**
 * Fakes that fail like the real thing: a clock and an executor that the test moves, a journal that
 * holds its syncs back or loses leadership. Start at {@link io.peeklock.testkit.SimJournal}.
 */
@NullMarked
package io.peeklock.testkit;

import org.jspecify.annotations.NullMarked;
