/**
 * What the handlers share while they decide: the draft of a decision, refusals, fair shares of
 * memory, the budget of copies, a look at what the time brings, and bodies that were read for it.
 * Imports {@code state} and below.
 *
 * <p>Start at {@link io.peeklock.kernel.decide.DecisionBuilder}.
 */
@NullMarked
package io.peeklock.kernel.decide;

import org.jspecify.annotations.NullMarked;
