/**
 * What a backlog of millions costs: memory, rates, and the time to come back after a kill. Start at
 * {@link io.peeklock.conformance.backlog.BacklogTest}.
 */
@NullMarked
package io.peeklock.conformance.backlog;

import org.jspecify.annotations.NullMarked;
