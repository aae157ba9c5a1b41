/**
 * A connection: its bytes, the events of its engine, attaches, timers and its end. Imports all
 * packages of links.
 */
@NullMarked
package io.peeklock.amqp.connection;

import org.jspecify.annotations.NullMarked;
