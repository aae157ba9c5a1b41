/** The ordered facts and the bodies on local files: segments, checksums, syncs, recovery. */
@NullMarked
package io.peeklock.journal;

import org.jspecify.annotations.NullMarked;
