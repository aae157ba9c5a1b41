/**
 * Applies facts to the state, and grants to locks and demand; nothing else writes either. Imports
 * {@code state} and below and no handler, as recovery uses this package alone.
 *
 * <p>Start at {@link io.peeklock.kernel.apply.FactApplier}.
 */
@NullMarked
package io.peeklock.kernel.apply;

import org.jspecify.annotations.NullMarked;
