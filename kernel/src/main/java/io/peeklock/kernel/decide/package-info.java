/**
 * What the handlers share while they decide: the builder of a decision, refusals, fair shares of
 * memory, the budget of copies, and fetched bodies. Imports {@code state} and below.
 *
 * <p>Start at {@link io.peeklock.kernel.decide.DecisionBuilder}.
 */
@NullMarked
package io.peeklock.kernel.decide;

import org.jspecify.annotations.NullMarked;
