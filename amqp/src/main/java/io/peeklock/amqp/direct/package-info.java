/**
 * Requests for messages without a connection, as HTTP makes them.
 *
 * <p>Imports all of them but what is behind the port alone.
 */
@NullMarked
package io.peeklock.amqp.direct;

import org.jspecify.annotations.NullMarked;
