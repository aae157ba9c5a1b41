/**
 * The journal on files, and its folder as a whole. Imports {@code recovery}, {@code compaction} and
 * below.
 *
 * <p>Start at {@link io.peeklock.journal.file.FileJournal}.
 */
@NullMarked
package io.peeklock.journal.file;

import org.jspecify.annotations.NullMarked;
