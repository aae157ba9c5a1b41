/**
 * The configuration and limits of a connection, and the budgets that connections share. Imports
 * nothing of the engine; every package above may import it.
 */
@NullMarked
package io.peeklock.amqp.engine.limits;

import org.jspecify.annotations.NullMarked;
