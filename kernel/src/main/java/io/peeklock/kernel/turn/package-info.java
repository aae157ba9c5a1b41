/**
 * Timed work, a bounded part of it at a time, and whose turn it is. Imports the handlers of work
 * that can be due: all packages below except {@code forward} and {@code transaction}.
 *
 * <p>Start at {@link io.peeklock.kernel.turn.TickHandler}.
 */
@NullMarked
package io.peeklock.kernel.turn;

import org.jspecify.annotations.NullMarked;
