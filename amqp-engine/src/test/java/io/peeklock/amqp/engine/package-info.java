/** Tests of the engine: bytes in, callbacks and bytes out; no socket, no clock, no thread. */
@NullMarked
package io.peeklock.amqp.engine;

import org.jspecify.annotations.NullMarked;
