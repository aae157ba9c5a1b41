/**
 * The commands that talk to a running broker over AMQP, as any stranger would.
 *
 * <p>Start at {@link io.peeklock.cli.CliMain}; one class for each command.
 */
@NullMarked
package io.peeklock.cli;

import org.jspecify.annotations.NullMarked;
