/**
 * The token node, where clients put tokens to get rights. Imports {@code request} and what it
 * imports.
 */
@NullMarked
package io.peeklock.amqp.claims;

import org.jspecify.annotations.NullMarked;
