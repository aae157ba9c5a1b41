/**
 * What a client may take, and what all may: settings, budgets, credits, the pace of output, reasons
 * to pause reading.
 *
 * <p>Imports {@code error}.
 */
@NullMarked
package io.peeklock.amqp.limit;

import org.jspecify.annotations.NullMarked;
