/**
 * The way in: each request is given to its handler, each fact to whoever applies it.
 * Imports all other packages of the machine; none of them imports this one.
 *
 * <p>Start at {@link io.peeklock.kernel.machine.Machine}.
 */
@NullMarked
package io.peeklock.kernel.machine;

import org.jspecify.annotations.NullMarked;
