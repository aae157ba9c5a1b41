/** Tests of the codec: bytes against values, and hostile bytes against limits. */
@NullMarked
package io.peeklock.amqp.engine.codec;

import org.jspecify.annotations.NullMarked;
