/**
 * What clients ask next, and what goes wrong meanwhile, drawn from random: mostly sensible, by what
 * clients know, and sometimes not. Knows the history's words and the world's faults.
 *
 * <p>Start at {@link io.peeklock.simulator.generate.Generator}.
 */
@NullMarked
package io.peeklock.simulator.generate;

import org.jspecify.annotations.NullMarked;
