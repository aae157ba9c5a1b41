/**
 * The SASL exchange before a connection is open (5.3 of the standard). Imports {@code framing} and
 * {@code codec}.
 */
@NullMarked
package io.peeklock.amqp.engine.sasl;

import org.jspecify.annotations.NullMarked;
