/**
 * Message sessions: who gets one, its state, its end. Imports {@code settle} and below, for the
 * locked messages of a session that ends.
 *
 * <p>Start at {@link io.peeklock.kernel.session.SessionHandler}.
 */
@NullMarked
package io.peeklock.kernel.session;

import org.jspecify.annotations.NullMarked;
