/**
 * Messages as columns of numbers, the lists and heaps over them, and what all of that takes of the
 * memory. Imports nothing of the machine: no queue, no rule of Service Bus but what a row has to
 * say.
 *
 * <p>Start at {@link io.peeklock.kernel.columns.Chunk}.
 */
@NullMarked
package io.peeklock.kernel.columns;

import org.jspecify.annotations.NullMarked;
