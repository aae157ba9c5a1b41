/**
 * Checkpoints: the state as facts in a file, written in the background and read at a start. Imports
 * {@code bodies} and below.
 *
 * <p>Start at {@link io.peeklock.journal.checkpoint.Checkpoints}.
 */
@NullMarked
package io.peeklock.journal.checkpoint;

import org.jspecify.annotations.NullMarked;
