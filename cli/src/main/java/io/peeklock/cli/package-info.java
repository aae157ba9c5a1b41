/**
 * The commands that talk to a running broker, as any client does: about messages over AMQP, about
 * queues, topics, subscriptions and rules over HTTP. Imports no module of the broker: its AMQP is
 * that of a client library.
 *
 * <p>Start at {@link io.peeklock.cli.CliMain}; one class for each command.
 */
@NullMarked
package io.peeklock.cli;

import org.jspecify.annotations.NullMarked;
