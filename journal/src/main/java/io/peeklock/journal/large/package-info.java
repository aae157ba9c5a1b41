/**
 * Large bodies, each in its own file: format, writer and readers. Imports {@code disk} and {@code
 * blocks}.
 *
 * <p>Start at {@link io.peeklock.journal.large.LargeFiles}.
 */
@NullMarked
package io.peeklock.journal.large;

import org.jspecify.annotations.NullMarked;
