/**
 * Links on which clients receive and settle.
 *
 * <p>Imports {@code transaction} and what it imports.
 */
@NullMarked
package io.peeklock.amqp.deliver;

import org.jspecify.annotations.NullMarked;
