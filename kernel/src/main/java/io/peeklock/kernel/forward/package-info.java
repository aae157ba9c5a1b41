/**
 * Messages that move on by themselves, to where their queue forwards. Imports {@code send} and
 * below.
 *
 * <p>Start at {@link io.peeklock.kernel.forward.ForwardHandler}.
 */
@NullMarked
package io.peeklock.kernel.forward;

import org.jspecify.annotations.NullMarked;
