/**
 * What every link is, what it sees of its connection, and how links of one event loop share.
 *
 * <p>Imports {@code message}, {@code limit} and what these import.
 */
@NullMarked
package io.peeklock.amqp.link;

import org.jspecify.annotations.NullMarked;
