/**
 * Unfinished input, such as half a body: what holds room that others need must keep a pace. Imports
 * {@code thread} only.
 *
 * <p>Start at {@link io.peeklock.runtime.intake.HalfReceived}.
 */
@NullMarked
package io.peeklock.runtime.intake;

import org.jspecify.annotations.NullMarked;
