/**
 * Frames (2.3 of the standard): cutting bytes into them, finding the fields of their performatives,
 * and beginning and ending those we write, in the one buffer of a connection's output.
 *
 * <p>Start with {@link io.peeklock.amqp.engine.framing.FrameCutter} for what comes and {@link
 * io.peeklock.amqp.engine.framing.Output} for what goes. Imports {@code codec} and {@code limits}.
 */
@NullMarked
package io.peeklock.amqp.engine.framing;

import org.jspecify.annotations.NullMarked;
