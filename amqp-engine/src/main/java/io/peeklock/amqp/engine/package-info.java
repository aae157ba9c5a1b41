/**
 * AMQP 1.0, server side: frames, codec, connection, session and link as explicit state machines.
 * Synchronous and pure; it knows nothing of Service Bus and nobody in this repository.
 */
@NullMarked
package io.peeklock.amqp.engine;

import org.jspecify.annotations.NullMarked;
