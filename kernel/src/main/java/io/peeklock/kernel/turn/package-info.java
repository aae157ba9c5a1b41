/**
 * What the time brings, a bounded part of it at a time, and which queue has its turn. Imports the
 * handlers of what can be due: all but {@code forward} and {@code transaction}.
 *
 * <p>Start at {@link io.peeklock.kernel.turn.TickHandler}.
 */
@NullMarked
package io.peeklock.kernel.turn;

import org.jspecify.annotations.NullMarked;
