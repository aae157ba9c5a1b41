/**
 * The contract of a journal in memory, and how its room is given back. Imports {@code sim} and what
 * it tests.
 *
 * <p>Start at {@link io.peeklock.journal.memory.MemoryJournalTest}.
 */
@NullMarked
package io.peeklock.journal.memory;

import org.jspecify.annotations.NullMarked;
