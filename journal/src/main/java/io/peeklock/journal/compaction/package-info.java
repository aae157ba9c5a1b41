/**
 * Copies living bodies out of mostly dead files, so that these can be removed. Imports {@code
 * checkpoint} and below.
 *
 * <p>Start at {@link io.peeklock.journal.compaction.Compactor}.
 */
@NullMarked
package io.peeklock.journal.compaction;

import org.jspecify.annotations.NullMarked;
