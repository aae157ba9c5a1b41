/**
 * The ordered facts and the bodies on local files, or in memory: segments, checksums, syncs,
 * recovery.
 *
 * <p>Start at {@link io.peeklock.journal.FileJournal}; {@code docs/internals/journal-format.md} has
 * the bytes. Three threads stay behind it, each alone with its work: {@link
 * io.peeklock.journal.LogWriter} appends and syncs, {@link io.peeklock.journal.ColdReads} reads
 * what is no longer in memory, {@link io.peeklock.journal.LargeFiles} writes large bodies and
 * removes files. What is known about bodies ({@link io.peeklock.journal.BodyStore}) belongs to the
 * shard's thread. Tools that only look at a folder begin at {@link
 * io.peeklock.journal.StoreFolder}.
 */
@NullMarked
package io.peeklock.journal;

import org.jspecify.annotations.NullMarked;
