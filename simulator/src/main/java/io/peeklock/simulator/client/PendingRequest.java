package io.peeklock.simulator.client;

import io.peeklock.kernel.request.Ticket;
import io.peeklock.simulator.history.Operation;

/** What a request is known by: a question that waits for its answer. */
record PendingRequest(long id, Operation operation) implements Ticket {}
