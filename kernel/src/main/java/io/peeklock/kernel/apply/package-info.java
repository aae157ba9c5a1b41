/**
 * What facts change in the state, and what grants change of locks and demand; the only writers of
 * both. Imports {@code state} and below, and no handler: recovery runs through here alone.
 *
 * <p>Start at {@link io.peeklock.kernel.apply.FactApplier}.
 */
@NullMarked
package io.peeklock.kernel.apply;

import org.jspecify.annotations.NullMarked;
