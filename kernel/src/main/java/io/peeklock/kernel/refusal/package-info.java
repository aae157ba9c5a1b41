/**
 * The reasons why a request is not granted, as values that a client is told. Imports no other
 * package.
 *
 * <p>Start at {@link io.peeklock.kernel.refusal.Refusal}.
 */
@NullMarked
package io.peeklock.kernel.refusal;

import org.jspecify.annotations.NullMarked;
