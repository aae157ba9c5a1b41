/**
 * A small AMQP 1.0 client of our own that can also lie: frames are values, bytes are bytes. It is
 * blocking and one connection belongs to one thread. Start at {@link
 * io.peeklock.conformance.raw.RawConnection}.
 */
@NullMarked
package io.peeklock.conformance.raw;

import org.jspecify.annotations.NullMarked;
