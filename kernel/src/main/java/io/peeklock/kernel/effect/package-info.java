/**
 * The effects: what requesters are told once the facts before it are durable. Imports {@code
 * request}, {@code fact}, {@code entity} and {@code refusal}.
 *
 * <p>Start at {@link io.peeklock.kernel.effect.Effect}.
 */
@NullMarked
package io.peeklock.kernel.effect;

import org.jspecify.annotations.NullMarked;
