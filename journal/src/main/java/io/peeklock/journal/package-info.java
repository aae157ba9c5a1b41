/**
 * The ordered facts and the bodies on local files, or in memory. This package itself has what all
 * the others share: the settings, the threads, and the reports to the shard; it imports none of
 * them.
 *
 * <p>The ways in are few: {@link io.peeklock.journal.file.FileJournal} and {@link
 * io.peeklock.journal.memory.MemoryJournal} with {@link io.peeklock.journal.JournalSettings} for a
 * broker; {@link io.peeklock.journal.inspection.StoreFolder}, what it hands out of {@code scan} and
 * {@code checkpoint}, and {@link io.peeklock.journal.file.UnfinishedFolder} for tools. Everything
 * else is public only for the packages above it.
 *
 * <p>{@code docs/internals/journal-format.md} has the bytes. Three threads work for a journal on
 * files, each with its own task: {@link io.peeklock.journal.log.LogWriter} appends and syncs,
 * {@link io.peeklock.journal.bodies.ColdReads} reads what is no longer in memory, {@link
 * io.peeklock.journal.large.LargeFiles} writes large bodies and removes files. The state of bodies
 * ({@link io.peeklock.journal.bodies.BodyStore}) belongs to the shard's thread.
 */
@NullMarked
package io.peeklock.journal;

import org.jspecify.annotations.NullMarked;
