/**
 * The state as facts in a file, how it is written beside everything else, and read again. Imports
 * {@code bodies} and below.
 *
 * <p>Start at {@link io.peeklock.journal.checkpoint.Checkpoints}.
 */
@NullMarked
package io.peeklock.journal.checkpoint;

import org.jspecify.annotations.NullMarked;
