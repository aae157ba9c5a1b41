/**
 * What a connection is told and allowed: its configuration, and the budgets that connections share.
 *
 * <p>Imports nothing of the engine; every package above may import it.
 */
@NullMarked
package io.peeklock.amqp.engine.limits;

import org.jspecify.annotations.NullMarked;
