/**
 * What is now true, as the log has it.
 *
 * <p>Start at {@link io.peeklock.kernel.fact.Fact}. Knows entities only.
 */
@NullMarked
package io.peeklock.kernel.fact;

import org.jspecify.annotations.NullMarked;
