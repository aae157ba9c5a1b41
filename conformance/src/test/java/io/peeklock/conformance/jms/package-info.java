/** Qpid JMS as a plain AMQP 1.0 client that knows nothing of Service Bus. */
@NullMarked
package io.peeklock.conformance.jms;

import org.jspecify.annotations.NullMarked;
