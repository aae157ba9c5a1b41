/**
 * The files that bodies lie in and the places in them, as the shard's thread keeps account of them.
 * Imports {@code blocks}.
 *
 * <p>Start at {@link io.peeklock.journal.segment.BodyLocations}.
 */
@NullMarked
package io.peeklock.journal.segment;

import org.jspecify.annotations.NullMarked;
