/**
 * Why a request is not granted, as values that a client is told.
 *
 * <p>Start at {@link io.peeklock.kernel.refusal.Refusal}. Knows nobody.
 */
@NullMarked
package io.peeklock.kernel.refusal;

import org.jspecify.annotations.NullMarked;
