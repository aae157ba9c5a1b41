/**
 * What changes in volatile state: locks, receivers, use.
 *
 * <p>Start at {@link io.peeklock.kernel.grant.Grant}. Knows requests, entities and refusals.
 */
@NullMarked
package io.peeklock.kernel.grant;

import org.jspecify.annotations.NullMarked;
