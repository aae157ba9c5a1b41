/**
 * Disks that fail, fill up and lie, under the real program: {@link
 * io.peeklock.conformance.disk.FailingDiskTest}, {@link io.peeklock.conformance.disk.FullDiskTest},
 * {@link io.peeklock.conformance.disk.DamagedLogTest}.
 */
@NullMarked
package io.peeklock.conformance.disk;

import org.jspecify.annotations.NullMarked;
