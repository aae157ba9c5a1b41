/**
 * Requests for messages without a connection, as HTTP makes them.
 *
 * <p>Imports the root package, {@code deliver} not: the shard answers here.
 */
@NullMarked
package io.peeklock.amqp.direct;

import org.jspecify.annotations.NullMarked;
