/** Tests of what is in this package. */
@NullMarked
package io.peeklock.amqp.engine.limits;

import org.jspecify.annotations.NullMarked;
