/**
 * What facts say about themselves.
 *
 * <p>Start at {@link io.peeklock.kernel.fact.ShowsFeaturesTest}.
 */
@NullMarked
package io.peeklock.kernel.fact;

import org.jspecify.annotations.NullMarked;
