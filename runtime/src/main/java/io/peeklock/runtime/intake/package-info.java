/**
 * Input that has begun and not come to its end: who holds room with it while others need that room
 * must keep a pace.
 *
 * <p>Start at {@link io.peeklock.runtime.intake.HalfReceived}.
 */
@NullMarked
package io.peeklock.runtime.intake;

import org.jspecify.annotations.NullMarked;
