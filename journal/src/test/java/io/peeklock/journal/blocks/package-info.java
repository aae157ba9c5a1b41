/**
 * Bodies in memory, block by block. Imports what it tests.
 *
 * <p>Start at {@link io.peeklock.journal.blocks.ArenaTest}.
 */
@NullMarked
package io.peeklock.journal.blocks;

import org.jspecify.annotations.NullMarked;
