/** Tests of what is in this package. */
@NullMarked
package io.peeklock.amqp.engine.link;

import org.jspecify.annotations.NullMarked;
