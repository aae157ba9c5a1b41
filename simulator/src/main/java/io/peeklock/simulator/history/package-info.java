/**
 * What clients of the simulated broker ask and see, in the words of the protocol. It knows no other
 * package, so that the model, which reads it, knows nothing of the broker.
 */
@NullMarked
package io.peeklock.simulator.history;

import org.jspecify.annotations.NullMarked;
