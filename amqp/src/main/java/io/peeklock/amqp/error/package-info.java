/**
 * What clients are told when something is refused: conditions, sentences, tracking ids.
 *
 * <p>Imports no other package of the edge.
 */
@NullMarked
package io.peeklock.amqp.error;

import org.jspecify.annotations.NullMarked;
