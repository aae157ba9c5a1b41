/**
 * Open transactions, and the coordinator's link that declares and discharges them. Imports {@code
 * request} and what it imports.
 */
@NullMarked
package io.peeklock.amqp.transaction;

import org.jspecify.annotations.NullMarked;
