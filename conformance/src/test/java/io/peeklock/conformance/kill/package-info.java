/**
 * Load, crashes at random moments, and a judge who reads the history afterwards. Start at {@link
 * io.peeklock.conformance.kill.Rounds}; the judge is {@link io.peeklock.conformance.kill.Judge}.
 * {@link io.peeklock.conformance.kill.KillRig} crashes it with SIGKILL, the power rig by cutting
 * the power.
 */
@NullMarked
package io.peeklock.conformance.kill;

import org.jspecify.annotations.NullMarked;
