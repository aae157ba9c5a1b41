/**
 * The management node of a queue: its requests and their answers. Imports {@code deliver} and what
 * it imports.
 */
@NullMarked
package io.peeklock.amqp.management;

import org.jspecify.annotations.NullMarked;
