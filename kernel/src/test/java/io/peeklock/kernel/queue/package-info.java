/**
 * Stories about queues, told against the machine alone.
 *
 * <p>Start at {@link io.peeklock.kernel.queue.QueueFixture}, the language, and {@link
 * io.peeklock.kernel.queue.RandomWalkTest}, the naive model beside it.
 */
@NullMarked
package io.peeklock.kernel.queue;

import org.jspecify.annotations.NullMarked;
