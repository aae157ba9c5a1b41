/**
 * Messages, rules and values between the wire and the filters of the kernel.
 *
 * <p>Start at {@link io.peeklock.amqp.filter.StoredMessageView}, which shows filters the stored
 * bytes of a message and writes down what an action changed; {@link
 * io.peeklock.amqp.filter.RuleForms} has rules as clients send and read them (amqp.md 9).
 */
@NullMarked
package io.peeklock.amqp.filter;

import org.jspecify.annotations.NullMarked;
