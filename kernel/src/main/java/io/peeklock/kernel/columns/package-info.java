/**
 * Messages as columns of numbers, with the lists and heaps over them and the memory that they take.
 * Imports {@code fact} only, and knows no queue and no rule of Service Bus.
 *
 * <p>Start at {@link io.peeklock.kernel.columns.Chunk}.
 */
@NullMarked
package io.peeklock.kernel.columns;

import org.jspecify.annotations.NullMarked;
