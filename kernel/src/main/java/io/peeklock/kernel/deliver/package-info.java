/**
 * What receivers get: by credit, by sequence number, by a peek; and how a receiver ends. Imports
 * {@code session}, {@code settle} and below.
 *
 * <p>Start at {@link io.peeklock.kernel.deliver.DispatchHandler}.
 */
@NullMarked
package io.peeklock.kernel.deliver;

import org.jspecify.annotations.NullMarked;
