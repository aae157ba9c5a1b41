/** Clients that mean harm, on raw sockets. */
@NullMarked
package io.peeklock.conformance.hostile;

import org.jspecify.annotations.NullMarked;
