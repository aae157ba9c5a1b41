/**
 * What the world is to be told once the facts before it are durable.
 *
 * <p>Start at {@link io.peeklock.kernel.effect.Effect}. Knows requests, facts, entities and
 * refusals.
 */
@NullMarked
package io.peeklock.kernel.effect;

import org.jspecify.annotations.NullMarked;
