/**
 * Keeps track of stored bodies, and fetches them from memory or from files. Imports {@code log} and
 * below.
 *
 * <p>Start at {@link io.peeklock.journal.bodies.BodyStore}.
 */
@NullMarked
package io.peeklock.journal.bodies;

import org.jspecify.annotations.NullMarked;
