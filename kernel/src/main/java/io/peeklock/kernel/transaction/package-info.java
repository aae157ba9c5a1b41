/**
 * Transactions: which locks and sends take part, and how they commit or roll back. Imports {@code
 * send}, {@code settle}, {@code session}, {@code schedule} and below.
 *
 * <p>Start at {@link io.peeklock.kernel.transaction.CommitHandler}.
 */
@NullMarked
package io.peeklock.kernel.transaction;

import org.jspecify.annotations.NullMarked;
