/**
 * The log: frames and heads as bytes, the thread that writes and syncs them, and the mark of how
 * far they are durable. Imports {@code large}, {@code segment} and below.
 *
 * <p>Start at {@link io.peeklock.journal.log.LogWriter}.
 */
@NullMarked
package io.peeklock.journal.log;

import org.jspecify.annotations.NullMarked;
