/**
 * What topics, sessions and duplicate detection cost beside a plain queue, through the wire. Start
 * at {@link io.peeklock.conformance.speed.SpeedTest}.
 */
@NullMarked
package io.peeklock.conformance.speed;

import org.jspecify.annotations.NullMarked;
