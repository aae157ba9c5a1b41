/**
 * What clients are told about a refusal: conditions, sentences, tracking ids. Imports no other
 * package of the edge.
 */
@NullMarked
package io.peeklock.amqp.error;

import org.jspecify.annotations.NullMarked;
