/**
 * A file system behind one interface, real or read-only, and its free space. Imports no package of
 * the journal but its root.
 *
 * <p>Start at {@link io.peeklock.journal.disk.Disk}.
 */
@NullMarked
package io.peeklock.journal.disk;

import org.jspecify.annotations.NullMarked;
