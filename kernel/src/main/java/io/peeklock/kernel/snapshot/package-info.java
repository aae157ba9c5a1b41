/**
 * The state as facts that make it again, and as one number that two equal states share. Imports
 * {@code state} and below.
 *
 * <p>Start at {@link io.peeklock.kernel.snapshot.Snapshot}.
 */
@NullMarked
package io.peeklock.kernel.snapshot;

import org.jspecify.annotations.NullMarked;
