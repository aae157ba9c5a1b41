/**
 * What a start reads, and when it refuses: torn ends are cut, damage is told. Imports {@code scan}
 * and below.
 *
 * <p>Start at {@link io.peeklock.journal.recovery.Recovery}.
 */
@NullMarked
package io.peeklock.journal.recovery;

import org.jspecify.annotations.NullMarked;
