/**
 * A naive model of the broker: what may be, given all that was asked and seen. It was written from
 * the numbered sentences of the semantics by somebody who had not seen the broker's code.
 *
 * <p>How it works, in the order in which to read it: a {@link Doubt} is a fact nobody knows yet; an
 * {@link Uncertain} thing has several {@link Possible} values that depend on doubts; a {@link Copy}
 * is one copy of a message in one {@link Place}, uncertain as to its {@link Situation}. {@link
 * Course} says what time does by itself, {@link Moves} carries it out, {@link Sight} compares what
 * is seen with what is possible. The clerks ({@link Sending}, {@link Settling} and so on) each know
 * some operations. An observation that nothing possible explains is a violation.
 */
@NullMarked
package io.peeklock.simulator.model;

import org.jspecify.annotations.NullMarked;
