/**
 * What ships in {@code deploy} for those who run the broker: each file read, checked by the tool
 * that it is for where the machine has that, and compared with a broker that runs.
 */
@NullMarked
package io.peeklock.conformance.deploy;

import org.jspecify.annotations.NullMarked;
