/**
 * A file system behind one interface, real or only read, and how much room is left on it. Imports
 * no other package of the journal.
 *
 * <p>Start at {@link io.peeklock.journal.disk.Disk}.
 */
@NullMarked
package io.peeklock.journal.disk;

import org.jspecify.annotations.NullMarked;
