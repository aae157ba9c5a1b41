/**
 * Sessions: who gets one, its state, its end. Imports {@code settle} and below, for what is locked
 * when a session ends.
 *
 * <p>Start at {@link io.peeklock.kernel.session.SessionHandler}.
 */
@NullMarked
package io.peeklock.kernel.session;

import org.jspecify.annotations.NullMarked;
