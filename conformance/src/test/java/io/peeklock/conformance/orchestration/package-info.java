/**
 * Orchestrations as Durable Task keeps them on a broker: the state of each is the state of a
 * session, each step one transaction, and the broker is killed while they go on. Start at {@link
 * io.peeklock.conformance.orchestration.OrchestrationRun}; what comes after what says {@link
 * io.peeklock.conformance.orchestration.Plan}.
 */
@NullMarked
package io.peeklock.conformance.orchestration;

import org.jspecify.annotations.NullMarked;
