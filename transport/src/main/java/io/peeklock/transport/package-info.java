/**
 * Sockets: listeners, event loops, TLS, and the first bytes that tell one protocol from another.
 */
@NullMarked
package io.peeklock.transport;

import org.jspecify.annotations.NullMarked;
