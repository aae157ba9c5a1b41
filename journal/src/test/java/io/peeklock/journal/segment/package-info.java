/**
 * Places of bodies, and cold segments by their slots. Imports what it tests.
 *
 * <p>Start at {@link io.peeklock.journal.segment.BodyLocationsTest}.
 */
@NullMarked
package io.peeklock.journal.segment;

import org.jspecify.annotations.NullMarked;
