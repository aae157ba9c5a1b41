/**
 * Transactions that are declared and not discharged, and the coordinator's link.
 *
 * <p>Imports {@code request} and what it imports.
 */
@NullMarked
package io.peeklock.amqp.transaction;

import org.jspecify.annotations.NullMarked;
