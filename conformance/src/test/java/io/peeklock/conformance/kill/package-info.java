/**
 * Load, SIGKILL at random moments, and a judge who reads the history afterwards. Start at {@link
 * io.peeklock.conformance.kill.KillRig}; the judge is {@link io.peeklock.conformance.kill.Judge}.
 */
@NullMarked
package io.peeklock.conformance.kill;

import org.jspecify.annotations.NullMarked;
