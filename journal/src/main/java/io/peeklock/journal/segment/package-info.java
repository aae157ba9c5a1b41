/**
 * The files with bodies, and the locations of bodies in them, as the shard's thread tracks them.
 * Imports {@code blocks}.
 *
 * <p>Start at {@link io.peeklock.journal.segment.BodyLocations}.
 */
@NullMarked
package io.peeklock.journal.segment;

import org.jspecify.annotations.NullMarked;
