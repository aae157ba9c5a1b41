/**
 * Stories about what goes into the kernel and comes out of it.
 *
 * <p>Start at {@link io.peeklock.kernel.EntityPropertyTest}.
 */
@NullMarked
package io.peeklock.kernel;

import org.jspecify.annotations.NullMarked;
