/**
 * A naive model of the broker, an auditor of every run: what may be, given all that was asked and
 * seen. Written from the numbered sentences of the semantics by somebody who had not seen the
 * broker's code. Knows the history's words alone.
 *
 * <p>How it works: each {@link Copy} of a message is a set of {@link State}s in which it may be.
 * Before every event {@link Course} and {@link Forwarding} add the states that time alone can bring
 * about. What clients are told keeps the states that fit it; when none is left, the broker did what
 * it may not do. At rest the states in which something would have been due are dropped. What
 * happened to several messages or to none is a {@link Doubt}.
 *
 * <p>In which order to read: {@link State}, {@link Copy} and {@link Course} are the heart; then
 * {@link Model}, which hears the events; {@link Sending}, {@link Settling} and {@link Sight}, which
 * know the common operations; {@link Refusals}, for which reasons something is refused. {@link
 * Topics}, {@link Forwarding}, {@link Sessions}, {@link Transactions}, {@link Duplicates} and
 * {@link ByNumber} can be read alone. All judgements are passed by {@link Verdicts}; {@link
 * Unknown} is what the model does not judge.
 */
@NullMarked
package io.peeklock.simulator.model;

import org.jspecify.annotations.NullMarked;
