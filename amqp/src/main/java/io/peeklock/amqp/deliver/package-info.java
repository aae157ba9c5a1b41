/** Links on which clients receive and settle. Imports {@code transaction} and what it imports. */
@NullMarked
package io.peeklock.amqp.deliver;

import org.jspecify.annotations.NullMarked;
