/**
 * Entities and rules: creating, changing, counting, limiting and deleting them, also when idle.
 * Imports {@code deliver} and below, as the receivers of deleted entities are closed.
 *
 * <p>Start at {@link io.peeklock.kernel.administration.CreateQueueHandler}.
 */
@NullMarked
package io.peeklock.kernel.administration;

import org.jspecify.annotations.NullMarked;
