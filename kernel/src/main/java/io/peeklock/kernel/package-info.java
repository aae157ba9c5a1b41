/**
 * The rules of the broker, as a pure machine: requests in, decisions out, facts applied. Nothing
 * here reads a clock, a file, a random number or an AMQP type; time comes in with the {@link
 * io.peeklock.kernel.request.Stamp}.
 *
 * <p>Start at {@link io.peeklock.kernel.machine.Machine}.
 */
@NullMarked
package io.peeklock.kernel;

import org.jspecify.annotations.NullMarked;
