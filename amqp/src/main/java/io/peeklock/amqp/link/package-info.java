/**
 * What all links have in common: their connection as they see it, their addresses, and what the
 * links of one event loop share. Imports {@code message}, {@code limit} and what these import.
 */
@NullMarked
package io.peeklock.amqp.link;

import org.jspecify.annotations.NullMarked;
