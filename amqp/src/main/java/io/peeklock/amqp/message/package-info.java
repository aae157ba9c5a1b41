/**
 * Messages as they come, are stored and go out: normalised, staged, stamped with what delivery
 * adds.
 *
 * <p>Imports {@code error} and {@code filter}.
 */
@NullMarked
package io.peeklock.amqp.message;

import org.jspecify.annotations.NullMarked;
