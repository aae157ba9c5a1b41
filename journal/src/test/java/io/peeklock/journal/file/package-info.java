/**
 * Stories of a whole journal on files: crashes, damage, checkpoints, compaction, full disks.
 * Imports {@code sim}, and all that a journal is made of to compare with.
 *
 * <p>Start at {@link io.peeklock.journal.file.FileJournalTest}.
 */
@NullMarked
package io.peeklock.journal.file;

import org.jspecify.annotations.NullMarked;
