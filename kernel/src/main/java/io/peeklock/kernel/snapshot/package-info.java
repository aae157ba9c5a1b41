/**
 * Snapshots of the state as facts that rebuild it, and its hash, which equal states share. Imports
 * {@code state} and below.
 *
 * <p>Start at {@link io.peeklock.kernel.snapshot.Snapshot}.
 */
@NullMarked
package io.peeklock.kernel.snapshot;

import org.jspecify.annotations.NullMarked;
