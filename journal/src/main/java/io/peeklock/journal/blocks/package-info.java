/**
 * Bodies in memory: the blocks that hold them, how they are staged, joined and kept, and the
 * budgets for that. Imports no other package of the journal.
 *
 * <p>Start at {@link io.peeklock.journal.blocks.BodyRun}.
 */
@NullMarked
package io.peeklock.journal.blocks;

import org.jspecify.annotations.NullMarked;
