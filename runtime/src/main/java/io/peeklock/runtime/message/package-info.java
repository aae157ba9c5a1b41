/**
 * Messages one at a time and without a protocol, for an edge such as HTTP that has no messages of
 * its own. Implemented by the module that knows how messages are stored; imports only values of the
 * kernel.
 *
 * <p>Start at {@link io.peeklock.runtime.message.Messages}.
 */
@NullMarked
package io.peeklock.runtime.message;

import org.jspecify.annotations.NullMarked;
