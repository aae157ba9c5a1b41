/**
 * The journal in memory, which a restart empties. Imports {@code bodies} and below.
 *
 * <p>Start at {@link io.peeklock.journal.memory.MemoryJournal}.
 */
@NullMarked
package io.peeklock.journal.memory;

import org.jspecify.annotations.NullMarked;
