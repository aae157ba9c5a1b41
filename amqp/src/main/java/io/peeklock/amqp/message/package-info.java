/**
 * Messages as they arrive, are stored and are delivered: normalised, staged, and annotated for
 * delivery. Imports {@code error} and {@code filter}.
 */
@NullMarked
package io.peeklock.amqp.message;

import org.jspecify.annotations.NullMarked;
