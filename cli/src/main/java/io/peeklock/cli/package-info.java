/** The commands that talk to a running broker over AMQP, as any stranger would. */
@NullMarked
package io.peeklock.cli;

import org.jspecify.annotations.NullMarked;
