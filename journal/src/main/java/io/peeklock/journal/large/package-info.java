/**
 * Large bodies, each in a file of its own: its bytes, its writer, its readers. Imports {@code disk}
 * and {@code blocks}.
 *
 * <p>Start at {@link io.peeklock.journal.large.LargeFiles}.
 */
@NullMarked
package io.peeklock.journal.large;

import org.jspecify.annotations.NullMarked;
