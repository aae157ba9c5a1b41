/**
 * Requests for messages without a connection, as HTTP makes them. Imports the root package and
 * {@code send}, with what these import.
 */
@NullMarked
package io.peeklock.amqp.direct;

import org.jspecify.annotations.NullMarked;
