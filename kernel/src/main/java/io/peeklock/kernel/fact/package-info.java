/**
 * The facts: what is true, as the log has it. Imports {@code entity} only.
 *
 * <p>Start at {@link io.peeklock.kernel.fact.Fact}.
 */
@NullMarked
package io.peeklock.kernel.fact;

import org.jspecify.annotations.NullMarked;
