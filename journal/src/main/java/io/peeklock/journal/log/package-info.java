/**
 * The log: the encoding of frames and heads, the thread that writes and syncs them, and the
 * high-water mark. Imports {@code large}, {@code segment} and below.
 *
 * <p>Start at {@link io.peeklock.journal.log.LogWriter}.
 */
@NullMarked
package io.peeklock.journal.log;

import org.jspecify.annotations.NullMarked;
