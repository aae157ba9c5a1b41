/**
 * What is said of refusals.
 *
 * <p>Start at {@link io.peeklock.kernel.refusal.RefusalTableTest}.
 */
@NullMarked
package io.peeklock.kernel.refusal;

import org.jspecify.annotations.NullMarked;
