/**
 * A connection: its bytes, its events, its attaches, its timers, its end.
 *
 * <p>Imports all packages of links.
 */
@NullMarked
package io.peeklock.amqp.connection;

import org.jspecify.annotations.NullMarked;
