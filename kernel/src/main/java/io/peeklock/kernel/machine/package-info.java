/**
 * The entry: gives each request to its handler and each fact and grant to its applier. Imports all
 * other packages of the machine; none of them imports this one.
 *
 * <p>Start at {@link io.peeklock.kernel.machine.Machine}.
 */
@NullMarked
package io.peeklock.kernel.machine;

import org.jspecify.annotations.NullMarked;
