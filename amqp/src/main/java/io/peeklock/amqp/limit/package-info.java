/**
 * The limits of one client and of all clients: settings, budgets, credits, the pace of output, and
 * reasons to pause reading. Imports {@code error}.
 */
@NullMarked
package io.peeklock.amqp.limit;

import org.jspecify.annotations.NullMarked;
