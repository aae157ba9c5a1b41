/**
 * The token node, which opens what a token is for.
 *
 * <p>Imports {@code request} and what it imports.
 */
@NullMarked
package io.peeklock.amqp.claims;

import org.jspecify.annotations.NullMarked;
