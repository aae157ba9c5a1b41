/** Links on which clients send. Imports {@code transaction} and what it imports. */
@NullMarked
package io.peeklock.amqp.send;

import org.jspecify.annotations.NullMarked;
