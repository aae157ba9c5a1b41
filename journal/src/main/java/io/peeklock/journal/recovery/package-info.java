/**
 * Reads the folder at a start: cuts torn ends off, and refuses damage. Imports {@code scan} and
 * below.
 *
 * <p>Start at {@link io.peeklock.journal.recovery.Recovery}.
 */
@NullMarked
package io.peeklock.journal.recovery;

import org.jspecify.annotations.NullMarked;
