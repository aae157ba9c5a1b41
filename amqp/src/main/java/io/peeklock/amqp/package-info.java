/**
 * Service Bus over AMQP: SASL, claims, links to entities, management requests. The one place where
 * words of the wire and words of the kernel both appear.
 */
@NullMarked
package io.peeklock.amqp;

import org.jspecify.annotations.NullMarked;
