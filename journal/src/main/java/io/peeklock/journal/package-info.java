/**
 * The ordered facts and the bodies on local files, or in memory. This package itself has what all
 * the others share, its bounds, its threads and what is told, and imports none of them.
 *
 * <p>The ways in are few: {@link io.peeklock.journal.file.FileJournal} and {@link
 * io.peeklock.journal.memory.MemoryJournal} with {@link io.peeklock.journal.JournalSettings} for a
 * broker; {@link io.peeklock.journal.inspection.StoreFolder}, what it hands out of {@code scan} and
 * {@code checkpoint}, and {@link io.peeklock.journal.file.UnfinishedFolder} for tools. All else is
 * public only for its neighbours.
 *
 * <p>{@code docs/internals/journal-format.md} has the bytes. Three threads stay behind a journal on
 * files, each alone with its work: {@link io.peeklock.journal.log.LogWriter} appends and syncs,
 * {@link io.peeklock.journal.bodies.ColdReads} reads what is no longer in memory, {@link
 * io.peeklock.journal.large.LargeFiles} writes large bodies and removes files. What is known about
 * bodies ({@link io.peeklock.journal.bodies.BodyStore}) belongs to the shard's thread.
 */
@NullMarked
package io.peeklock.journal;

import org.jspecify.annotations.NullMarked;
