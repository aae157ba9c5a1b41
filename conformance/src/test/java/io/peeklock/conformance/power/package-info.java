/**
 * Cuts the power under a broker: its folder lies on a file system of its own, which forgets all
 * that was not synced. Start at {@link io.peeklock.conformance.power.PowerRig}; the file system is
 * {@link io.peeklock.conformance.power.LoopDisk}.
 */
@NullMarked
package io.peeklock.conformance.power;

import org.jspecify.annotations.NullMarked;
