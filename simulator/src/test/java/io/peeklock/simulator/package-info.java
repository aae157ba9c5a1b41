/** Tests of the simulator itself: that a seed is a proof, and that all its faults happen. */
@NullMarked
package io.peeklock.simulator;

import org.jspecify.annotations.NullMarked;
