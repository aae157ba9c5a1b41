/**
 * Stories about a whole machine, the language they are told in, and the naive models beside it.
 *
 * <p>Start at {@link io.peeklock.kernel.machine.QueueFixture}.
 */
@NullMarked
package io.peeklock.kernel.machine;

import org.jspecify.annotations.NullMarked;
