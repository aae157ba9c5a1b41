/**
 * Entities and rules: made, changed, counted, limited, deleted, and deleted when idle. Imports
 * {@code deliver} and below, as the receivers of what is deleted end.
 *
 * <p>Start at {@link io.peeklock.kernel.administration.CreateQueueHandler}.
 */
@NullMarked
package io.peeklock.kernel.administration;

import org.jspecify.annotations.NullMarked;
