/**
 * Delivery to receivers, by credit, by sequence number and by peek, and the end of receivers.
 * Imports {@code session}, {@code settle} and below.
 *
 * <p>Start at {@link io.peeklock.kernel.deliver.DispatchHandler}.
 */
@NullMarked
package io.peeklock.kernel.deliver;

import org.jspecify.annotations.NullMarked;
